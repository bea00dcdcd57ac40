import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';

/** Somebody has the state's file in hand, triggers taken out: what `rpcgw audit verify` says of it. Each adds to the one before. */
describe('the audit through the program, when the file was tampered with', () => {
  const on = stage();
  let gateway: Gateway;
  let heads: readonly string[];

  const verify = (...more: readonly string[]) => gateway.command('audit', 'verify', ...more);
  function tamper(statement: string): void {
    const db = new Database(join(gateway.place.dataDir, 'rpcgw.db'));
    db.exec('DROP TRIGGER IF EXISTS audit_no_update; DROP TRIGGER IF EXISTS audit_no_delete');
    db.exec(statement);
    db.close();
  }

  beforeAll(async () => {
    const [own, spare] = [await on.upstream(), await on.upstream()];
    gateway = await on.gateway({ chains: { local: chainOf({ own, spare }) } });
    for (const weight of ['9', '8', '7', '6'])
      expect((await gateway.command('endpoint', 'set', 'local', 'spare', '--weight', weight)).code).toBe(0);
    heads = gateway.log().flatMap(({ msg, hash }) => (msg === 'audit' ? [String(hash)] : []));
  });

  it('whole: by itself and with every hash that the log has', async () => {
    expect(heads).toHaveLength(4);
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining(heads[3] ?? '') });
    for (const head of heads) expect((await verify('--head', head)).code).toBe(0);
    const { stdout } = await gateway.command('audit', 'list');
    expect(stdout).toContain('WHO?');
    expect((await gateway.api.ask('auditList', {})).rows).toMatchObject(
      heads.map(hash => ({ hash, whoProven: false })),
    );
  });

  it('cut off at the end: found by the hash in the log, over a restart too', async () => {
    tamper('DELETE FROM audit WHERE id = 4');
    expect((await verify()).code).toBe(0);
    for (const again of [false, true]) {
      if (again) {
        await gateway.stop();
        await gateway.restart();
      }
      const { code, stdout } = await verify('--head', heads[3] ?? '');
      expect(code).toBe(1);
      expect(stdout).toContain('rows after 3 were cut off');
      expect((await verify('--head', heads[2] ?? '')).code).toBe(0);
    }
  });

  it('written anew with hashes that hold together: found by the hash in the log', async () => {
    expect((await gateway.command('endpoint', 'set', 'local', 'spare', '--weight', '5')).code).toBe(0);
    expect((await verify()).code).toBe(0);
    expect((await verify('--head', heads[3] ?? '')).code).toBe(1);
  });

  it('changed: the row is named', async () => {
    tamper("UPDATE audit SET who = 'somebody else' WHERE id = 3");
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    expect(stdout).toContain('THE AUDIT IS NOT WHOLE: row 3 was changed');
    const told = await gateway.command('audit', 'verify', '--json');
    expect(JSON.parse(told.stdout)).toMatchObject({ sound: false, fault: 'changed', row: 3 });
  });

  it('missing: the row is named', async () => {
    tamper('DELETE FROM audit WHERE id = 2');
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    expect(stdout).toContain('row 2 is missing');
  });
});
