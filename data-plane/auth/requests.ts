import { z } from 'zod'
import { AuthError, invalid } from './errors.ts'
import { linkTypes } from './sign-in/generate-link.ts'
import { challengeOf, type Challenge } from './sign-in/challenge.ts'

/** Clients send null for what they do not use. */
const text = z
  .string()
  .max(4096)
  .nullish()
  .transform((value) => value ?? undefined)
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? undefined)
const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined)

const pkce = { code_challenge: text, code_challenge_method: text }
const redirect = { redirect_to: text }

export const SignupBody = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  channel: text,
  ...pkce,
})
export const PasswordBody = z.object({ email: text, phone: text, password: text })
export const RefreshBody = z.object({ refresh_token: text })
export const PkceBody = z.object({ auth_code: text, code_verifier: text })
export const Web3Body = z.object({
  chain: z.string().max(100),
  message: z.string().max(20_480),
  signature: z.string().max(1000),
})
export const IdTokenBody = z.object({
  provider: text,
  issuer: text,
  id_token: z.string().max(32_768).nullish(),
  access_token: z
    .string()
    .max(32_768)
    .nullish()
    .transform((value) => value || undefined),
  nonce: text,
  link_identity: flag,
})
export const OtpBody = z.object({
  email: text,
  phone: text,
  create_user: flag,
  data: metadata,
  channel: text,
  ...pkce,
})
export const EmailBody = z.object({ email: text, data: metadata, ...pkce })
export const ResendBody = z.object({ type: text, email: text, phone: text, ...pkce })
export const VerifyBody = z.object({
  type: text,
  token: text,
  token_hash: text,
  email: text,
  phone: text,
  ...redirect,
})
export const UserBody = z.object({
  email: text,
  phone: text,
  password: text,
  current_password: text,
  nonce: text,
  data: metadata,
  channel: text,
  ...pkce,
})
export const InviteBody = z.object({ email: text, data: metadata })
export const AdminUserBody = z.object({
  id: z
    .uuid()
    .nullish()
    .transform((value) => value ?? undefined),
  email: text,
  phone: text,
  password: text,
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  role: text,
  aud: text,
  ban_duration: text,
})
export const DeleteUserBody = z.object({ should_soft_delete: flag }).optional()
export const GenerateLinkBody = z.object({
  type: z.enum(linkTypes),
  email: z.string().max(4096),
  new_email: text,
  password: text,
  data: metadata,
  ...redirect,
})

/** The public client names a page without a number when it was asked for none: `?page=&per_page=`. */
const pageNumber = (max: number, usual: number) =>
  z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().int().min(1).max(max).default(usual),
  )
export const ListQuery = z.object({
  page: pageNumber(10_000_000, 1),
  per_page: pageNumber(1000, 50),
  filter: z
    .string()
    .max(255)
    .optional()
    .transform((value) => value || undefined),
  sort: z
    .string()
    .regex(/^(created_at|updated_at|last_sign_in_at|email)( (asc|desc))?$/i)
    .default('created_at desc'),
})

export const verifyTypes = z.enum([
  ...(['signup', 'invite', 'magiclink', 'recovery', 'email', 'email_change'] as const),
])
/** What a code from a text message is for. */
export const phoneVerifyTypes = z.enum(['sms', 'phone_change'])

/** Checks a body or query; 400 `validation_failed` with what is wrong where, 400 `bad_json` when there is none. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  if (value === undefined) throw new AuthError('bad_json')
  const [issue] = result.error.issues
  throw invalid(issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'Invalid request')
}

/** The PKCE fields of a body. */
export function challengeIn(body: {
  code_challenge: string | undefined
  code_challenge_method: string | undefined
}): Challenge | undefined {
  return challengeOf(body.code_challenge, body.code_challenge_method)
}

/** A field that this request cannot do without. */
export function needed(value: string | undefined, message: string): string {
  if (value === undefined || value === '') throw invalid(message)
  return value
}

/** Refuses a request that names both, where it could not be told which of them is meant. */
export function onlyOne(body: { email: string | undefined; phone: string | undefined }): void {
  if (body.email && body.phone) {
    throw invalid('Only an email address or a phone number should be provided')
  }
}
