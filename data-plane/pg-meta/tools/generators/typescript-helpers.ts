/** Shorthands over `Database`, of the default schema or of one that is named: `Tables<"books">`, `Tables<{ schema: "app" }, "books">`. */
const shorthand = (name: string, kinds: readonly string[], part: string | undefined): string => {
  const of = (schema: string) => kinds.map((kind) => `${schema}["${kind}"]`).join(' & ')
  const all = kinds.length > 1 ? (schema: string) => `(${of(schema)})` : of
  const named = 'Schemas[NameOrSchema["schema"]]'
  const pick = (from: string, key: string) =>
    part === undefined
      ? `${all(from)}[${key}]`
      : `${all(from)}[${key}] extends { ${part}: infer Found }\n    ? Found\n    : never`
  return `export type ${name}<
  NameOrSchema extends keyof ${all('DefaultSchema')} | { schema: keyof Schemas },
  Name extends NameOrSchema extends { schema: keyof Schemas }
    ? keyof ${all(named)}
    : never = never,
> = NameOrSchema extends { schema: keyof Schemas }
  ? ${pick(named, 'Name')}
  : NameOrSchema extends keyof ${all('DefaultSchema')}
  ? ${pick('DefaultSchema', 'NameOrSchema')}
  : never
`
}

export const helpers = [
  `type Schemas = Omit<Database, "__InternalSupabase">

type DefaultSchema = Schemas[Extract<keyof Database, "public">]
`,
  shorthand('Tables', ['Tables', 'Views'], 'Row'),
  shorthand('TablesInsert', ['Tables'], 'Insert'),
  shorthand('TablesUpdate', ['Tables'], 'Update'),
  shorthand('Enums', ['Enums'], undefined),
  shorthand('CompositeTypes', ['CompositeTypes'], undefined),
].join('\n')
