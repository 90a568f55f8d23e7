import { z } from 'zod'

/** What stands in a masked column of a branch. Values that are null stay null. */
export const maskKinds = ['null', 'empty', 'fixed', 'hash', 'fake_email'] as const
export type MaskKind = (typeof maskKinds)[number]

/** Columns of one project that can be masked. */
export const maxMasks = 100

const name = z
  .string()
  .min(1)
  .max(63)
  .refine((text) => !text.includes('\0'), 'A name cannot contain a NUL character')

/** A column whose values no branch with data gets; `text` is that of `fixed`. */
export const BranchMask = z
  .object({
    schema: name,
    table: name,
    column: name,
    kind: z.enum(maskKinds),
    text: z
      .string()
      .max(200)
      .refine((text) => !text.includes('\0'), 'A text cannot contain a NUL character')
      .default(''),
  })
  .refine(({ kind, text }) => kind !== 'fixed' || text !== '', {
    message: 'Enter the text that stands in its place',
    path: ['text'],
  })
export type BranchMask = z.infer<typeof BranchMask>

export const maskName = ({ schema, table, column }: Omit<BranchMask, 'kind' | 'text'>): string =>
  `${schema}.${table}.${column}`

/** What a database says of a column that is to be masked. */
export const MaskedColumn = z.object({
  /** It is a table, or one with partitions, and all below it are. */
  is_table: z.boolean(),
  of_extension: z.boolean(),
  /** text, varchar, char or citext. */
  is_text: z.boolean(),
  /** In characters; null: any. */
  max_length: z.number().nullable(),
  not_null: z.boolean(),
  generated: z.boolean(),
  /** Of a foreign key, at either end. */
  linked: z.boolean(),
  unique: z.boolean(),
  of_partition_key: z.boolean(),
  /** A trigger or rule that fires whatever a session says. */
  fires: z.string().nullable(),
  /** The only column of its primary key, where that is a number or a UUID. */
  id_column: z.string().nullable(),
})
export type MaskedColumn = z.infer<typeof MaskedColumn>

/** Schemas that hold what the platform and its services keep. */
const closed =
  /^(?:pg_.*|information_schema|auth|storage|realtime|vault|cron|net|extensions|pgmq|graphql|graphql_public|supabase_functions|supabase_migrations)$/
/** Those of users, with which all that repeats them goes. */
export const isUserMask = ({ schema, table, column }: BranchMask): boolean =>
  schema === 'auth' && table === 'users' && (column === 'email' || column === 'phone')

/** Characters that the longest value of a kind has. */
const lengthOf = ({ kind, text }: BranchMask): number =>
  ({ null: 0, empty: 0, fixed: text.length, hash: 32, fake_email: 60 })[kind]

/** Why a column cannot be masked so, in words for people; undefined: it can. `found`: undefined where there is no such column. */
export function maskProblem(mask: BranchMask, found: MaskedColumn | undefined): string | undefined {
  const named = maskName(mask)
  const { schema, kind } = mask
  if (closed.test(schema) && !isUserMask(mask))
    return `${named} belongs to the platform. Of auth, users.email and users.phone can be masked`
  if (!found) return `${named} does not exist`
  if (!found.is_table || found.of_extension) return `${named} is not a column of a table`
  if (found.generated) return `${named} is generated. Mask the columns that it is computed from`
  if (found.linked) return `${named} is part of a foreign key and cannot be masked`
  if (found.of_partition_key) return `${named} is part of a partition key and cannot be masked`
  if (found.fires !== null)
    return `${named} cannot be masked: ${found.fires} of its table always fires`
  if (kind === 'null')
    return found.not_null ? `${named} cannot be null. Choose another value` : undefined
  if (!found.is_text) return `${named} is not a text. Only null can stand in its place`
  if ((kind === 'empty' || kind === 'fixed') && found.unique)
    return `${named} is unique, so not all rows can have the same value`
  if (found.max_length !== null && lengthOf(mask) > found.max_length)
    return `${named} holds ${found.max_length} characters, and the value has up to ${lengthOf(mask)}`
  return undefined
}
