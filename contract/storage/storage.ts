import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref, wholeNumber } from '../values.ts'

/** Entries of a folder that come at once. */
export const filesPageSize = 200
/** Objects that one call names. */
export const maxObjects = 1000
/** Files whose uploads begin with one call. */
export const maxUploads = 100
/** Objects of one archive. */
export const maxArchived = 10_000
/** The object that stands for a folder with nothing in it; lists of the dashboard leave it out. */
export const folderMark = '.emptyFolderPlaceholder'

/** What the dashboard calls a new bucket; other programs may choose other names. */
export const newBucketName = /^[a-z0-9](?:[a-z0-9.-]{0,98}[a-z0-9])?$/

export const fileSorts = ['name', 'created_at', 'updated_at', 'last_accessed_at'] as const
export type FileSort = (typeof fileSorts)[number]

const ByRef = z.object({ ref })
const ByBucket = ByRef.extend({ id: z.string().min(1).max(100) })
const path = z.string().min(1).max(1024)
const paths = z.array(path).min(1).max(maxObjects)
const done = z.object({})
const url = z.object({ url: z.string() })
/** From a minute to ten years. */
const seconds = z.number().int().min(60).max(315_360_000)

export const StorageBucket = z.object({
  id: z.string(),
  name: z.string(),
  public: z.boolean(),
  /** Bytes of one object; null: what the project allows. */
  file_size_limit: z.number().nullable(),
  /** Null: every type. */
  allowed_mime_types: z.array(z.string()).nullable(),
  created_at: Instant,
  updated_at: Instant,
})
export type StorageBucket = z.infer<typeof StorageBucket>

const bucketSettings = {
  public: z.boolean().optional(),
  file_size_limit: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).nullish(),
  allowed_mime_types: z
    .array(
      z
        .string()
        .trim()
        .max(255)
        .regex(/^[\w.+-]+\/(?:\*|[\w.+-]+)$/, 'must be a type such as image/png or image/*'),
    )
    .max(500)
    .nullish(),
}

/** A line of a folder: an object, or a folder, which has no id. */
export const FileEntry = z.object({
  /** Without what leads to it. */
  name: z.string(),
  id: z.string().nullable(),
  size: z.number().nullable(),
  type: z.string().nullable(),
  created_at: Instant.nullable(),
  updated_at: Instant.nullable(),
  last_accessed_at: Instant.nullable(),
})
export type FileEntry = z.infer<typeof FileEntry>

const base = '/platform/storage/:ref' as const
const bucket = `${base}/buckets/:id` as const
const objects = `${bucket}/objects` as const
const reads = inProject('storage:Read', '*')
const writes = inProject('storage:Write', '*')

/**
 * What a project stores, for its members. It is done in the data plane as the storage service itself; bytes never come
 * through here: `download` and `uploads` tell of addresses of the project that are good for a while.
 */
export const storage = {
  buckets: endpoint('storage.buckets', `GET ${base}/buckets`, {
    needs: reads,
    input: ByRef,
    returns: z.object({
      buckets: z.array(StorageBucket),
      /** Bytes of one object at most, in any bucket. */
      largest: z.number(),
    }),
    raw: true,
  }),
  createBucket: endpoint('storage.createBucket', `POST ${base}/buckets`, {
    needs: inProject('storage:Admin:Write', '*'),
    status: 201,
    input: ByRef.extend({
      name: z
        .string()
        .regex(
          newBucketName,
          'must be 1 to 100 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends',
        ),
      ...bucketSettings,
    }),
    returns: z.object({ name: z.string() }),
    raw: true,
  }),
  bucket: endpoint('storage.bucket', `GET ${bucket}`, {
    needs: reads,
    input: ByBucket,
    returns: StorageBucket,
    raw: true,
  }),
  updateBucket: endpoint('storage.updateBucket', `PATCH ${bucket}`, {
    needs: inProject('storage:Admin:Write', '*'),
    input: ByBucket.extend(bucketSettings),
    returns: done,
    raw: true,
  }),
  removeBucket: endpoint('storage.removeBucket', `DELETE ${bucket}`, {
    needs: inProject('storage:Admin:Write', '*'),
    input: ByBucket,
    returns: done,
    raw: true,
  }),
  /** How much there is, by bucket. It reads every object. */
  usage: endpoint('storage.usage', `GET ${base}/usage`, {
    needs: reads,
    input: ByRef,
    returns: z.object({
      buckets: z.array(z.object({ id: z.string(), objects: z.number(), bytes: z.number() })),
      /** What was deleted and still takes room. */
      trash: z.object({ objects: z.number(), bytes: z.number() }),
    }),
    raw: true,
  }),
  /** One folder. By name a page costs the same at any size of it; other orders, and a search, look at all of it. */
  list: endpoint('storage.list', `POST ${objects}/list`, {
    needs: reads,
    input: ByBucket.extend({
      /** `a/b`; the bucket itself unless given. */
      path: z.string().max(1024).default(''),
      limit: wholeNumber(1, 1000).default(filesPageSize),
      /** `next` of the page before, with the same folder, sort, order and search. */
      cursor: z.string().max(4000).optional(),
      sort: z.enum(fileSorts).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
      /** How names begin, whatever their case. */
      search: z.string().max(200).default(''),
    }),
    returns: z.object({ entries: z.array(FileEntry), next: z.string().nullable() }),
    raw: true,
  }),
  /** An address that is good for an hour, to look at an object or, with `name`, to save it under that name. */
  download: endpoint('storage.download', `POST ${objects}/download`, {
    needs: reads,
    input: ByBucket.extend({ path, name: z.string().min(1).max(255).optional() }),
    returns: url,
    raw: true,
  }),
  /** An address that is good for an hour, to save several objects as one zip. A path with a slash at its end is a folder. */
  archive: endpoint('storage.archive', `POST ${objects}/archive`, {
    needs: reads,
    // What was chosen is kept for a day.
    perMinute: 60,
    input: ByBucket.extend({ paths, name: z.string().min(1).max(255) }),
    returns: url,
    raw: true,
  }),
  publicUrl: endpoint('storage.publicUrl', `POST ${objects}/public-url`, {
    needs: reads,
    input: ByBucket.extend({ path }),
    returns: url,
    raw: true,
  }),
  sign: endpoint('storage.sign', `POST ${objects}/sign`, {
    needs: writes,
    input: ByBucket.extend({ path, expires_in: seconds }),
    returns: url,
    raw: true,
  }),
  /** In the order of the paths; null: there is no such object. */
  signMany: endpoint('storage.signMany', `POST ${objects}/sign-multi`, {
    needs: writes,
    input: ByBucket.extend({ paths, expires_in: seconds }),
    returns: z.object({
      urls: z.array(z.object({ path: z.string(), url: z.string().nullable() })),
    }),
    raw: true,
  }),
  /** The browser sends the files itself, by TUS to `url` with the token as `x-signature`, which is good for 2 hours. */
  uploads: endpoint('storage.uploads', `POST ${objects}/upload`, {
    needs: writes,
    input: ByBucket.extend({
      paths: z.array(path).min(1).max(maxUploads),
      /** Whether what is there is replaced. */
      upsert: z.boolean().default(false),
    }),
    returns: z.object({
      url: z.string(),
      uploads: z.array(
        z.object({
          path: z.string(),
          token: z.string().nullable(),
          /** Why it cannot be uploaded, such as that there is one of this name. */
          error: z.object({ code: z.string(), message: z.string() }).nullable(),
        }),
      ),
    }),
    raw: true,
  }),
  makeFolder: endpoint('storage.makeFolder', `POST ${objects}/folder`, {
    needs: writes,
    status: 201,
    input: ByBucket.extend({ path }),
    returns: done,
    raw: true,
  }),
  move: endpoint('storage.move', `POST ${objects}/move`, {
    needs: writes,
    input: ByBucket.extend({ from: path, to: path, to_bucket: z.string().max(100).optional() }),
    returns: done,
    raw: true,
  }),
  copy: endpoint('storage.copy', `POST ${objects}/copy`, {
    needs: writes,
    input: ByBucket.extend({ from: path, to: path, to_bucket: z.string().max(100).optional() }),
    returns: done,
    raw: true,
  }),
  /** Those that are gone already are not counted. */
  remove: endpoint('storage.remove', `DELETE ${objects}`, {
    needs: writes,
    input: ByBucket.extend({ paths: paths.optional(), path: path.optional() }).refine(
      (input) => (input.paths === undefined) !== (input.path === undefined),
      { error: 'name either path or paths' },
    ),
    returns: z.object({ removed: z.number() }),
    raw: true,
  }),
}
