import { z } from 'zod'
import { S3Error } from './s3-errors.ts'

const text = z.string().max(4096)
const Range = z.tuple([z.literal('content-length-range'), z.coerce.number(), z.coerce.number()])
const Match = z.tuple([z.enum(['eq', 'starts-with']), text, text])
const Policy = z.object({
  expiration: text,
  conditions: z.array(z.union([Range, Match, z.record(z.string(), text)])).max(200),
})

/** Fields that no policy has to speak of. */
const free = /^(?:policy|x-amz-signature|file|x-ignore-.*)$/

const invalid = (why: string) => new S3Error('InvalidPolicyDocument', `Invalid Policy: ${why}`)
const denied = (why: string) => new S3Error('AccessDenied', `Invalid according to Policy: ${why}`)

/**
 * Whether the policy of a form, whose signature is good, allows its fields, by lower-case names.
 * @returns how many bytes its file may have @throws S3Error
 */
export function checkPolicy(
  encoded: string,
  fields: ReadonlyMap<string, string>,
  now: number,
): { least: number; max: number } {
  const { expiration, conditions } = readPolicy(encoded)
  const end = Date.parse(expiration)
  if (Number.isNaN(end)) throw invalid('expiration is no date')
  if (end <= now) throw denied('Policy expired.')
  const spoken = new Set<string>()
  const size = { least: 0, max: Infinity }
  function match(field: string, value: string, kind: 'eq' | 'starts-with'): void {
    const name = field.toLowerCase()
    const given = fields.get(name) ?? ''
    spoken.add(name)
    if (kind === 'eq' ? given === value : given.startsWith(value)) return
    const shown = JSON.stringify([kind, `$${name}`, value].map((part) => part.slice(0, 200)))
    throw denied(`Policy Condition failed: ${shown}`)
  }
  for (const condition of conditions) {
    if (!Array.isArray(condition)) {
      for (const [name, value] of Object.entries(condition)) match(name, value, 'eq')
    } else if (condition[0] === 'content-length-range') {
      size.least = Math.max(size.least, condition[1])
      size.max = Math.min(size.max, condition[2])
    } else {
      const [kind, field, value] = condition
      if (!field.startsWith('$')) throw invalid(`${field.slice(0, 60)} is no field`)
      match(field.slice(1), value, kind)
    }
  }
  const silent = [...fields.keys()].find((name) => !free.test(name) && !spoken.has(name))
  if (silent !== undefined) throw denied(`Extra input fields: ${silent.slice(0, 60)}`)
  return size
}

function readPolicy(encoded: string): z.infer<typeof Policy> {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(encoded, 'base64').toString())
  } catch {
    throw invalid('it is no JSON')
  }
  const read = Policy.safeParse(value)
  if (!read.success) throw invalid('it has no expiration, or conditions that nobody knows')
  return read.data
}
