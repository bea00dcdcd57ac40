/** The Prometheus text form. Values are read from records when the page is asked for; nothing is counted twice. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface HistogramMetric {
  readonly name: string;
  readonly type: 'histogram';
  readonly help: string;
  readonly series: readonly {
    readonly labels: Readonly<Record<string, string>>;
    /** Cumulative, upper bounds in ms. */
    readonly rows: readonly { readonly le: number; readonly count: number }[];
    readonly sumMs: number;
  }[];
}

export function exposition(metrics: readonly (Metric | HistogramMetric)[]): string {
  const lines: string[] = [];
  for (const metric of metrics) {
    lines.push(`# HELP ${metric.name} ${metric.help}`, `# TYPE ${metric.name} ${metric.type}`);
    if (metric.type === 'histogram') {
      for (const { labels, rows, sumMs } of metric.series) {
        for (const { le, count } of rows)
          lines.push(line(`${metric.name}_bucket`, { ...labels, le: String(le / 1000) }, count));
        const all = rows.at(-1)?.count ?? 0;
        lines.push(line(`${metric.name}_bucket`, { ...labels, le: '+Inf' }, all));
        lines.push(
          line(`${metric.name}_sum`, labels, sumMs / 1000),
          line(`${metric.name}_count`, labels, all),
        );
      }
    } else {
      for (const { labels, value } of metric.samples) lines.push(line(metric.name, labels, value));
    }
  }
  return `${lines.join('\n')}\n`;
}

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
