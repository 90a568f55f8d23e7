import { expect, test } from 'vitest'
import { z } from 'zod'
import { schemaText } from './schema-text.ts'

test.each<[z.ZodType, string]>([
  [z.string(), 'string'],
  [z.int(), 'number'],
  [z.string().nullable(), 'string | null'],
  [z.enum(['a', 'b']), '"a" | "b"'],
  [z.literal(3), '3'],
  [z.array(z.union([z.string(), z.number()])), '(string | number)[]'],
  [z.record(z.string(), z.boolean()), 'Record<string, boolean>'],
  [z.object({}), 'object'],
  [z.unknown(), 'unknown'],
  [
    z.object({ id: z.number(), 'a-b': z.object({ x: z.null() }).optional() }),
    '{\n  id: number\n  "a-b"?: {\n    x: null\n  }\n}',
  ],
  [z.array(z.object({ a: z.enum(['x', 'y']) })), '{\n  a: "x" | "y"\n}[]'],
])('%o as %s', (schema, text) => {
  expect(schemaText(z.toJSONSchema(schema))).toBe(text)
})

test('what lies deeper than a page can show is an object', () => {
  const schema = z.object({
    a: z.object({ b: z.object({ c: z.object({ d: z.object({ e: z.string() }) }) }) }),
  })
  expect(schemaText(z.toJSONSchema(schema))).toMatch(/d: object/)
})
