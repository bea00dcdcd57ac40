/** The config's schema as a JSON Schema: for editors, and read out into the reference page. Not loaded to check a config. */

import { z } from 'zod/mini';
import { configSchema } from './schema.ts';

export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(configSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // An editor sees `${VAR}` where the daemon sees the value.
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = `${jsonSchema.pattern}|\\$\\{`;
    },
  });
}
