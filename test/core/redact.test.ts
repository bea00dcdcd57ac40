import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { saidText, scrub, secretsOf, shownUrl, withoutUrls } from '../../src/core/redact.ts';

describe('a text with URLs in it', () => {
  it.each([
    ['no chain https://rpc.example.com/v3/key', 'no chain https://rpc.example.com'],
    ['"https://rpc.example.com?key=key" is no name', '"https://rpc.example.com" is no name'],
    ['it is http://10.0.0.5:8545, weight 50', 'it is http://10.0.0.5:8545, weight 50'],
    ['1https://a.example/key', '1https://a.example'],
    ['(https://u:key@a.example/)', '(https://***'],
    ['https://u:k/ey@a.example/', 'https://***'],
    ['https://a.example#key and wss://b.example\\key', 'https://a.example and wss://b.example'],
    ['HTTPS://A.EXAMPLE/KEY', 'HTTPS://A.EXAMPLE'],
    ['http://[::1]:8545/key', 'http://[::1]:8545'],
    ['rpcgw test ethereum "$URL"', 'rpcgw test ethereum "$URL"'],
    ['10/20 //x a/b', '10/20 //x a/b'],
  ])('%s', (text, shown) => {
    expect(withoutUrls(text)).toBe(shown);
  });

  it('shows nothing of them beyond the host, whatever stands around', () => {
    const secret = 'K3yN0body5ees';
    const place = fc.constantFrom(
      `/${secret}`,
      `/v3/${secret}/x`,
      `?${secret}`,
      `?k=${secret}&l=1`,
      `#${secret}`,
      `\\${secret}`,
    );
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), place, fc.string(), (before, url, hidden, after) => {
        expect(withoutUrls(`${before}${url}${hidden}${after}`)).not.toContain(secret);
      }),
    );
  });

  it('of a megabyte takes no longer than its length asks for', () => {
    expect(withoutUrls('a'.repeat(1_000_000))).toHaveLength(1_000_000);
  });
});

describe('shownUrl', () => {
  it.each([
    ['https://mainnet.infura.io/v3/0123456789abcdef', 'https://mainnet.infura.io'],
    ['https://user:pass@node.example.com:8545/x?key=y#z', 'https://node.example.com:8545'],
    ['http://10.0.0.5:8545', 'http://10.0.0.5:8545'],
    ['https://example.com:443/x', 'https://example.com'],
    ['https://[2001:db8::1]:8545/key', 'https://[2001:db8::1]:8545'],
    ['wss://example.com/key', 'wss://example.com'],
    ['HTTPS://Example.COM/Key', 'https://example.com'],
    ['secret-key', '(not a URL)'],
    ['data:text/plain,secret-key', '(not a URL)'],
    ['file:///etc/secret-key', '(not a URL)'],
    ['https://', '(not a URL)'],
    ['', '(not a URL)'],
  ])('%s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  it('never throws, and never shows what follows the host', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
        ),
        url => {
          expect(shownUrl(url)).toMatch(/^(?:(?:https?|wss?):\/\/[^/?#@\\]+|\(not a URL\))$/);
        },
      ),
    );
  });
});

describe('scrub', () => {
  const url = 'https://rpc.example.com/v3/0a1B2c3D4e5F/C/rpc?apikey=qwert%2Fyuiop&network=mainnet&n=1000';
  const headers = {
    authorization: 'Bearer tok-123456',
    'x-login': 'Basic YWxpY2U6aHVudGVyMjIy',
    accept: 'application/json',
  };
  const secrets = secretsOf(url, headers);

  it.each([
    ['a path segment', 'no project 0a1B2c3D4e5F here', 'no project *** here'],
    ['the same in other letter case', 'no project 0A1b2C3d4E5f here', 'no project *** here'],
    ['a query value as it stands', 'apikey qwert%2Fyuiop refused', 'apikey *** refused'],
    ['a query value, escape in lower case', 'apikey qwert%2fyuiop refused', 'apikey *** refused'],
    ['a query value, decoded', 'apikey qwert/yuiop refused', 'apikey *** refused'],
    ['a query value, decoded, in JSON', '{"message":"apikey qwert\\/yuiop"}', '{"message":"apikey ***"}'],
    ['the token of a header', 'token tok-123456 expired', 'token *** expired'],
    ['a whole header value', 'got "Bearer tok-123456"', 'got "***"'],
    ['the password inside basic credentials', 'alice/hunter222', 'alice/***'],
    ['the whole path', 'POST /v3/0a1B2c3D4e5F/C/rpc failed', 'POST *** failed'],
    ['two beside each other', 'tok-1234560a1B2c3D4e5F', '***'],
    ['the end of the text', 'key tok-123456', 'key ***'],
    [
      'nothing at all',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000}}',
    ],
    [
      'plain words and small numbers of a URL',
      'v3 C rpc mainnet 1000 application/json',
      'v3 C rpc mainnet 1000 application/json',
    ],
  ])('%s', (_what, text, clean) => {
    expect(scrub(text, secrets)).toBe(clean);
  });

  it.each([
    ['https://eth-mainnet.example/ethereum/mainnet-beta/jsonrpc', 'ethereum mainnet-beta jsonrpc'],
    ['https://api.avax.network/ext/bc/C/rpc', 'ext/bc/C/rpc is down'],
    ['https://node.example/wallet', 'class org.tron.core.exception: wallet'],
  ])('leaves the words of %s in honest answers', (plain, text) => {
    expect(scrub(text, secretsOf(plain, {}))).toBe(text);
  });

  it.each([
    ['a key as the name of a parameter', 'https://rpc.example.com/?0a1B2c3D4e5F', '0a1B2c3D4e5F'],
    ['credentials', 'https://alice99:correct-horse@rpc.example.com/', 'alice99 correct-horse'],
    ['a fragment', 'https://rpc.example.com/#0a1B2c3D4e5F', '0a1B2c3D4e5F'],
    ['malformed escapes', 'https://rpc.example.com/%zzabc%41def', '%zzabcAdef'],
    ['a broken URL', 'https:/%%/ 0a1B2c3D4e5F', '0a1B2c3D4e5F'],
    [
      'letters beyond ASCII',
      'https://rpc.example.com/schlüssel-größe',
      'schlüssel-größe schl%C3%BCssel-gr%C3%B6%C3%9Fe',
    ],
  ])('finds %s', (_what, secretUrl, text) => {
    expect(scrub(text, secretsOf(secretUrl, {}))).toMatch(/^\*\*\*( \*\*\*)*$/);
  });

  it('takes out overlapping secrets whole, so that no end of one is left', () => {
    expect(scrub('x abcdefghijkl y', ['abcdefgh', 'efghijkl'])).toBe('x *** y');
  });

  const key = fc
    .stringMatching(/^[A-Za-z0-9_~!$'()%"\\/-]{8,40}$/)
    .filter(text => /\d[A-Za-z]|[A-Za-z]\d/.test(text));

  it('leaves no secret in any text, wherever it stood and however it is written', () => {
    fc.assert(
      fc.property(key, key, key, fc.array(fc.string(), { maxLength: 4 }), (path, query, header, around) => {
        const found = secretsOf(
          `https://rpc.example.com/v1/${encodeURIComponent(path)}?key=${encodeURIComponent(query)}`,
          { 'x-key': header },
        );
        const spelled = [path, query, header].flatMap(secret => [
          secret,
          encodeURIComponent(secret),
          JSON.stringify(secret).slice(1, -1),
          secret.toUpperCase(),
        ]);
        for (const secret of spelled) {
          const clean = scrub([...around, secret, ...around].join(' '), found);
          expect(clean).not.toContain(secret);
        }
      }),
    );
  });

  it('keeps what is no secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(scrub(text, ['\u0000 not in there \u0001'])).toBe(text);
        expect(scrub(text, [])).toBe(text);
      }),
    );
  });
});

describe('what an endpoint says', () => {
  const secret = '0123456789abcdef0123456789abcdef';

  it('is shown on one line, without what moves a cursor or turns a line around', () => {
    const said = 'Geth/v1\r\n\u001b[2J\u001b]0;title\u0007 \u202eevil\u2066 \u200b\u2028end\u009b31m\t.';
    const shown = saidText(said, [], 200);
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(shown).toBe('Geth/v1 [2J ]0;title evil end 31m .');
  });

  it('is shown without its secrets, and cut', () => {
    expect(saidText(`asked at /v3/${secret}`, [secret], 200)).toBe('asked at /v3/***');
    expect(saidText('a'.repeat(500), [], 10)).toBe(`${'a'.repeat(10)}…`);
  });

  it('does not end in the beginning of a secret, wherever the part of the text ends that was looked at', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(80), (before, most) => {
        const whole = `${'x'.repeat(before)}${secret}${secret}${secret}`;
        for (let at = 0; at < whole.length; at += 1) {
          const shown = saidText(whole.slice(0, at), [secret], most, true);
          expect(shown).not.toMatch(/[0-9a-f]{8}/);
        }
      }),
      { numRuns: 50 },
    );
  });
});
