import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** What a git host says: this branch has this commit now. */
export type Push = { branch: string; commit: string }
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Of a body the hosts sign with HMAC-SHA256, each in a header of its own; some write what it is made with before it. */
const signatureHeaders = [
  'x-hub-signature-256',
  'x-hub-signature',
  'x-gitea-signature',
  'x-forgejo-signature',
  'x-gogs-signature',
]
/** One host shows the secret itself. */
const tokenHeader = 'x-gitlab-token'

/** Compares texts of any length in the same time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compared').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Whether whoever sent this body knows the secret. */
export function isSigned(body: string, headers: Headers, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest('hex')
  const signatures = signatureHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? value.replace(/^sha256=/, '') : []
  })
  if (signatures.some((one) => isSame(one, expected))) return true
  const token = headers[tokenHeader]
  return typeof token === 'string' && isSame(token, secret)
}

const Commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
const Branch = z.string().min(1).max(255)
/** As most hosts say it. */
const Usual = z.object({ ref: z.string(), after: Commit, deleted: z.boolean().optional() })
/** A host that tells of several changes at once. */
const Several = z.object({
  push: z.object({
    changes: z
      .array(
        z.object({
          new: z
            .object({
              type: z.string().optional(),
              name: Branch,
              target: z.object({ hash: Commit }),
            })
            .nullable(),
        }),
      )
      .min(1)
      .max(100),
  }),
})
/** What a script says. */
const Plain = z.object({ branch: Branch, commit: Commit })

const heads = 'refs/heads/'
const isNone = (commit: string) => /^0+$/.test(commit)

/** The pushes that a body tells of; none where it tells of something else, such as a tag or a branch that was deleted. */
export function pushesIn(body: unknown): Push[] {
  const plain = Plain.safeParse(body)
  if (plain.success) return [plain.data]
  const usual = Usual.safeParse(body)
  if (usual.success) {
    const { ref, after, deleted = false } = usual.data
    const branch = ref.slice(heads.length)
    if (!ref.startsWith(heads) || deleted || isNone(after) || !Branch.safeParse(branch).success)
      return []
    return [{ branch, commit: after }]
  }
  const several = Several.safeParse(body)
  if (!several.success) return []
  return several.data.push.changes.flatMap(({ new: now }) =>
    now && (now.type ?? 'branch') === 'branch'
      ? [{ branch: now.name, commit: now.target.hash }]
      : [],
  )
}
