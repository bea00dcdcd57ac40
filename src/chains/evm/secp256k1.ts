/**
 * Whose signature it is: the public key out of an ECDSA signature over secp256k1 (SEC 1, 4.1.6; parameters from SEC 2,
 * 2.4.1). Only public values pass through here, so nothing needs to take constant time.
 */

const p = 2n ** 256n - 2n ** 32n - 977n;
const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Jacobian coordinates: x = X/Z², y = Y/Z³; Z = 0 is the point at infinity. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

const infinity: Point = { x: 1n, y: 1n, z: 0n };
const base: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  z: 1n,
};

export interface Signature {
  readonly r: bigint;
  readonly s: bigint;
  /** The y of the point whose x is r is odd. */
  readonly odd: boolean;
}

/** x and y, 64 bytes; undefined when nobody can have made this signature. */
export function publicKeyOf(digest: bigint, { r, s, odd }: Signature): Uint8Array | undefined {
  if (r <= 0n || r >= n || s <= 0n || s >= n) return undefined;
  const square = modulo(r * r * r + 7n, p);
  const root = power(square, (p + 1n) / 4n, p);
  if (modulo(root * root, p) !== square) return undefined;
  const point = { x: r, y: (root & 1n) === (odd ? 1n : 0n) ? root : p - root, z: 1n };
  const inverse = power(r, n - 2n, n);
  const sum = combined(modulo(-digest * inverse, n), modulo(s * inverse, n), point);
  return sum.z === 0n ? undefined : bytesOf(sum);
}

/** a·G + b·Q, both multiplied in one pass over the bits. */
function combined(a: bigint, b: bigint, point: Point): Point {
  const both = add(base, point);
  let sum = infinity;
  for (let bit = 255n; bit >= 0n; bit--) {
    sum = doubled(sum);
    const inA = (a >> bit) & 1n;
    const inB = (b >> bit) & 1n;
    if (inA === 1n) sum = add(sum, inB === 1n ? both : base);
    else if (inB === 1n) sum = add(sum, point);
  }
  return sum;
}

/** https://hyperelliptic.org/EFD/g1p/auto-shortw-jacobian-0.html, dbl-2009-l */
function doubled({ x, y, z }: Point): Point {
  if (z === 0n || y === 0n) return infinity;
  const a = modulo(x * x, p);
  const b = modulo(y * y, p);
  const c = modulo(b * b, p);
  const d = modulo(2n * ((x + b) * (x + b) - a - c), p);
  const e = 3n * a;
  const x3 = modulo(e * e - 2n * d, p);
  return { x: x3, y: modulo(e * (d - x3) - 8n * c, p), z: modulo(2n * y * z, p) };
}

/** The same place, add-2007-bl. */
function add(one: Point, other: Point): Point {
  if (one.z === 0n) return other;
  if (other.z === 0n) return one;
  const zz1 = modulo(one.z * one.z, p);
  const zz2 = modulo(other.z * other.z, p);
  const u1 = modulo(one.x * zz2, p);
  const u2 = modulo(other.x * zz1, p);
  const s1 = modulo(one.y * other.z * zz2, p);
  const s2 = modulo(other.y * one.z * zz1, p);
  if (u1 === u2) return s1 === s2 ? doubled(one) : infinity;
  const h = modulo(u2 - u1, p);
  const i = modulo(4n * h * h, p);
  const j = modulo(h * i, p);
  const r = modulo(2n * (s2 - s1), p);
  const v = modulo(u1 * i, p);
  const x = modulo(r * r - j - 2n * v, p);
  return { x, y: modulo(r * (v - x) - 2n * s1 * j, p), z: modulo(2n * one.z * other.z * h, p) };
}

function bytesOf({ x, y, z }: Point): Uint8Array {
  const inverse = power(z, p - 2n, p);
  const square = modulo(inverse * inverse, p);
  const hex = [modulo(x * square, p), modulo(y * square * inverse, p)]
    .map(value => value.toString(16).padStart(64, '0'))
    .join('');
  return Uint8Array.from({ length: 64 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

function modulo(value: bigint, by: bigint): bigint {
  const rest = value % by;
  return rest < 0n ? rest + by : rest;
}

function power(of: bigint, exponent: bigint, by: bigint): bigint {
  let result = 1n;
  let square = of;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % by;
    square = (square * square) % by;
  }
  return result;
}
