import { z } from 'zod'
import { authAnswerRestShape } from './auth-config-absent.ts'
import { problemOf } from './auth-config-forms.ts'
import { authKeys, settingOf, type AuthKey, type AuthSettings } from './auth-config-keys.ts'
import type { Setting } from './auth-config-setting.ts'
import { TestMail, TestMailResult } from './auth-test-mail.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

/** Many settings are alike and are one object; so are their schemas, which every start has to make. */
function once(make: (setting: Setting) => z.ZodType): (setting: Setting) => z.ZodType {
  const made = new Map<Setting, z.ZodType>()
  return (setting) => {
    const schema = made.get(setting) ?? make(setting)
    made.set(setting, schema)
    return schema
  }
}

const whole = ({ least, max }: { least: number; max: number }) =>
  z.number().int().min(least).max(max)

/** Null gives a setting back to its default. */
const change = once((setting) => {
  switch (setting.type) {
    case 'switch':
      return z.boolean().nullable().optional()
    case 'whole':
    case 'optional':
      return whole(setting).nullable().optional()
    case 'text':
      return textOf(setting).nullable().optional()
  }
})

function textOf({ oneOf, max, form }: Extract<Setting, { type: 'text' }>) {
  if (oneOf) return z.enum(oneOf)
  const text = z.string().max(max)
  if (!form) return text
  return text.superRefine((value, context) => {
    const problem = problemOf(form, value)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  })
}

/** What is read may be from before a bound was moved. */
const answer = once(({ type }) => {
  switch (type) {
    case 'switch':
      return z.boolean()
    case 'text':
      return z.string()
    case 'whole':
      return z.int()
    case 'optional':
      return z.int().nullable()
  }
})

type Shape<Name extends string> = { [K in Name]: z.ZodType }
type Settings = { [K in AuthKey]: z.ZodType<AuthSettings[K], AuthSettings[K]> }
type Lower<T> = { [K in keyof T & string as Lowercase<K>]: T[K] }
type Optional<T> = { [K in keyof T]: z.ZodOptional<z.ZodNullable<T[K] & z.ZodType>> }

const each = (
  shape: (setting: Setting) => z.ZodType,
  name: (key: string) => string,
): Shape<string> => Object.fromEntries(authKeys.map((key) => [name(key), shape(settingOf(key))]))
const same = (key: string) => key
const lower = (key: string) => key.toLowerCase()

const strict = {
  error: (issue: { code?: string; keys?: readonly string[] }) =>
    issue.code === 'unrecognized_keys'
      ? `${(issue.keys ?? []).join(', ')}: not a setting of the auth service`
      : undefined,
}

// The shapes are made from the table of settings, by its keys; that fromEntries forgets them is all the casts mend.
const Config = z.object(each(answer, same) as Settings)
const choicesOf = (key: AuthKey): readonly string[] => {
  const setting = settingOf(key)
  return (setting.type === 'text' && setting.oneOf) || []
}
const V1Config = z.object({
  ...(each(answer, lower) as Lower<Settings>),
  ...authAnswerRestShape,
  /** Programs take an address or null, and no text without an address. */
  smtp_admin_email: z.string().nullable(),
  /** Nor an empty one for what is switched off. */
  sms_provider: z.enum(choicesOf('SMS_PROVIDER').filter((choice) => choice !== '')).nullable(),
  security_captcha_provider: z.enum(choicesOf('SECURITY_CAPTCHA_PROVIDER')),
  password_required_characters: z.enum(choicesOf('PASSWORD_REQUIRED_CHARACTERS')),
})
const Changes = each(change, same) as Optional<Settings>
const V1Changes = each(change, lower) as Optional<Lower<Settings>>

const ByRef = z.object({ ref: ProjectRef })

/**
 * Whoever may change mail server settings may call it; the handler asks for more when other keys are named (facts §2.4:
 * Developers change the one and not the others).
 */
const changes = inProject('write:Update', 'custom_config_gotrue.smtp')
const reads = inProject('read:Read', 'custom_config_gotrue')
const isHookKey = (key: string) => key.startsWith('HOOK_')
const HookChanges = Object.fromEntries(
  Object.entries(Changes).filter(([key]) => isHookKey(key)),
) as { [K in AuthKey & `HOOK_${string}` as K]: (typeof Changes)[K] } // by the same condition on the names

/** How the auth service of a project works. Secrets come back hidden, see `control-plane/auth/auth-config/hidden.ts`. */
export const authConfig = {
  get: endpoint('authConfig.get', 'GET /platform/auth/:ref/config', {
    needs: reads,
    input: ByRef,
    returns: Config,
  }),
  /** Only what is named changes; the answer is everything. */
  update: endpoint('authConfig.update', 'PATCH /platform/auth/:ref/config', {
    needs: changes,
    input: z.strictObject({ ...Changes, ref: ProjectRef }, strict),
    returns: Config,
  }),
  /** The same for hooks alone, which more people may change (facts §2.4). */
  updateHooks: endpoint('authConfig.updateHooks', 'PATCH /platform/auth/:ref/config/hooks', {
    needs: inProject('write:Create', 'custom_config_gotrue.hooks'),
    input: z.strictObject({ ...HookChanges, ref: ProjectRef }, strict),
    returns: Config,
  }),
  /** Sends a mail to the caller's own address by the way that is saved, and says what became of it. */
  testMail: endpoint('authConfig.testMail', 'POST /platform/auth/:ref/config/test-mail', {
    needs: changes,
    perMinute: 6,
    input: TestMail.extend({ ref: ProjectRef }),
    returns: TestMailResult.extend({ recipient: z.string() }),
  }),
}

/** The same for programs, which know the keys in lower case. */
export const v1AuthConfig = {
  authConfig: endpoint('v1.authConfig', 'GET /v1/projects/:ref/config/auth', {
    needs: reads,
    input: ByRef,
    returns: V1Config,
  }),
  updateAuthConfig: endpoint('v1.updateAuthConfig', 'PATCH /v1/projects/:ref/config/auth', {
    needs: changes,
    input: z.strictObject({ ...V1Changes, ref: ProjectRef }, strict),
    returns: V1Config,
  }),
}
