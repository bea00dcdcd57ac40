/** A JSON Schema as a type that people read. */

export interface SchemaNode {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[] | undefined;
  readonly items?: unknown;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: unknown;
  readonly description?: string | undefined;
}

export function typeText(node: SchemaNode, indent: string): string {
  if (node.$ref !== undefined) return node.$ref;
  if (node.enum !== undefined) return node.enum.map(value => JSON.stringify(value)).join(' | ');
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.anyOf !== undefined) return node.anyOf.map(each => typeText(each, indent)).join(' | ');
  if (Array.isArray(node.type)) return node.type.map(type => typeText({ ...node, type }, indent)).join(' | ');
  switch (node.type) {
    case 'object':
      return objectText(node, indent);
    case 'array': {
      const item = isNode(node.items) ? typeText(node.items, indent) : 'unknown';
      return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    case 'integer':
      return 'number';
    case 'string':
      return node.format === 'date-time' ? 'Time' : 'string';
    default:
      return typeof node.type === 'string' ? node.type : 'unknown';
  }
}

function objectText(node: SchemaNode, indent: string): string {
  if (node.properties === undefined) {
    const value = isNode(node.additionalProperties) ? typeText(node.additionalProperties, indent) : 'unknown';
    return `{ [name: string]: ${value} }`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(node.properties).flatMap(([key, value]) => {
    if (!isNode(value)) return [];
    const mark = node.required?.includes(key) ? '' : '?';
    const note = value.description === undefined ? [] : [`${inner}// ${value.description}`];
    return [...note, `${inner}${key}${mark}: ${typeText(value, inner)};`];
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
