import { z } from 'zod'
import { StorageError } from './errors.ts'

/** Reads what a client sent. @throws StorageError that names the first thing that is wrong */
export function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = ['body', ...(issue?.path ?? [])].join('/')
  throw new StorageError('InvalidRequest', `${path} ${issue?.message ?? 'is not valid'}`)
}

const Text = z.string().max(4096)
export const Names = z.array(Text.max(1024)).min(1).max(1000)

const MimeTypes = z.array(z.string().min(1).max(255)).max(500).nullish()
const SizeLimit = z.union([z.number(), z.string().max(40)]).nullish()

export const NewBucket = z.object({
  name: Text,
  id: Text.optional(),
  public: z.boolean().nullish(),
  file_size_limit: SizeLimit,
  allowed_mime_types: MimeTypes,
  type: z.string().nullish(),
})
export const ChangedBucket = z.object({
  public: z.boolean().optional(),
  file_size_limit: SizeLimit,
  allowed_mime_types: MimeTypes,
})
export const Order = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['asc', 'desc']))
export const ListLevel = z.object({
  prefix: Text.default(''),
  limit: z
    .number()
    .int()
    .min(1)
    .default(100)
    .transform((limit) => Math.min(limit, 10_000)),
  offset: z.number().int().min(0).max(1_000_000_000).default(0),
  search: Text.nullish(),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: Order.default('asc'),
    })
    .nullish(),
})
export const ListV2 = z.object({
  prefix: Text.default(''),
  limit: z.number().int().min(1).max(1000).default(1000),
  cursor: Text.nullish(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at']).default('name'),
      order: Order.default('asc'),
    })
    .nullish(),
})
export const Move = z.object({
  bucketId: Text,
  sourceKey: Text,
  destinationKey: Text,
  destinationBucket: Text.nullish(),
})
export const Copy = Move.extend({
  copyMetadata: z.boolean().default(true),
  metadata: z.object({ cacheControl: Text.optional(), mimetype: Text.optional() }).nullish(),
})
const Seconds = z.number().int().min(1).max(315_360_000)
export const Sign = z.object({
  expiresIn: Seconds,
  transform: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
})
export const SignMany = z.object({ expiresIn: Seconds, paths: Names })
export const RemoveMany = z.object({ prefixes: Names })
