import { z } from 'zod'

/** Where the bytes lie that projects store: in a folder, or in a bucket of a server of the S3 protocol. */
export const storageEnvironment = {
  PLINTH_STORAGE: z.string().min(1).optional(),
  PLINTH_LARGEST_UPLOAD: z.coerce
    .number()
    .int()
    .min(1)
    .default(50 * 1024 ** 3),
  PLINTH_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  PLINTH_S3_ENDPOINT: z
    .string()
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      message: 'must start with http:// or https://',
    })
    .optional(),
  PLINTH_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .optional(),
  PLINTH_S3_ACCESS_KEY_ID: z.string().optional(),
  PLINTH_S3_SECRET_ACCESS_KEY: z.string().optional(),
  PLINTH_S3_PREFIX: z
    .string()
    .regex(/^[\w.-]+(?:\/[\w.-]+)*$/, 'must be names joined by slashes')
    .optional(),
}

type Environment = z.infer<z.ZodObject<typeof storageEnvironment>>

/** What is wrong with the settings together; undefined when nothing is. */
export function storageProblem(e: Environment): string | undefined {
  const { PLINTH_S3_ACCESS_KEY_ID: id, PLINTH_S3_SECRET_ACCESS_KEY: secret } = e
  if (!id !== !secret) {
    const [missing, given] = id
      ? ['PLINTH_S3_SECRET_ACCESS_KEY', 'PLINTH_S3_ACCESS_KEY_ID']
      : ['PLINTH_S3_ACCESS_KEY_ID', 'PLINTH_S3_SECRET_ACCESS_KEY']
    return `${missing}: must be set together with ${given}`
  }
  const alone = Object.entries(e).find(
    ([name, value]) => name.startsWith('PLINTH_S3_') && value !== undefined,
  )
  if (!e.PLINTH_S3_BUCKET) return alone && `PLINTH_S3_BUCKET: must be set together with ${alone[0]}`
  return e.PLINTH_STORAGE && 'PLINTH_STORAGE: has no meaning beside PLINTH_S3_BUCKET'
}

/** The bucket; undefined: files in a folder. */
export const storageBucket = (e: Environment) =>
  e.PLINTH_S3_BUCKET
    ? {
        bucket: e.PLINTH_S3_BUCKET,
        endpoint: e.PLINTH_S3_ENDPOINT,
        region: e.PLINTH_S3_REGION ?? 'us-east-1',
        prefix: e.PLINTH_S3_PREFIX,
        credentials:
          e.PLINTH_S3_ACCESS_KEY_ID && e.PLINTH_S3_SECRET_ACCESS_KEY
            ? {
                accessKeyId: e.PLINTH_S3_ACCESS_KEY_ID,
                secretAccessKey: e.PLINTH_S3_SECRET_ACCESS_KEY,
              }
            : undefined,
      }
    : undefined
