import { expect, it } from 'vitest';
import { terminalSvg } from '../kit/terminal-svg.ts';

const esc = String.fromCharCode(27);

it('draws a word that stays once, and lets words that change take turns', () => {
  const shots = [`same  1  ${esc}[1;31mA<B${esc}[0m`, 'same  2', 'same  1'].map((screen, at) => ({
    at: at * 1000,
    screen,
  }));
  const svg = terminalSvg(shots, 20, 1);
  expect(svg.match(/>same</g)).toHaveLength(1);
  // Seen first and last; where nothing moves, the second screen is shown.
  expect(svg).toContain(
    '<g visibility="hidden"><animate attributeName="visibility" calcMode="discrete" values="visible;hidden;visible" keyTimes="0;0.3333;0.6667" dur="3s" repeatCount="indefinite"/><text x="62.4" y="25" textLength="8.4">1</text></g>',
  );
  expect(svg).toMatch(/<g visibility="visible">.*>2<\/text>/);
  expect(svg).toContain('class="b" fill="#f0716b">A&lt;B</text>');
});

it('keeps every column in its place, whatever the font makes of a sign', () => {
  const svg = terminalSvg([{ at: 0, screen: `▸ ● ok${esc}[7m no ${esc}[0m` }], 20);
  const at = (text: string): string | undefined => new RegExp(`x="([\\d.]+)"[^>]*>${text}<`).exec(svg)?.[1];
  expect([at('▸'), at('●'), at('ok'), at(' no ')]).toEqual(['12', '28.8', '45.6', '62.4']);
  expect(svg).toContain('<rect x="62.4" y="12" width="33.6"');
});
