import { z } from 'zod'
import { authKeys, isSecret, settingOf, type AuthKey } from '../auth/auth-config-keys.ts'
import { authConfig } from '../auth/auth-config.ts'
import { dataApi } from '../data-api/data-api.ts'
import { inProject, type Need } from '../permissions.ts'
import { realtime } from '../realtime/realtime-config.ts'
import { storageSettings } from '../storage/storage-settings.ts'
import { storage } from '../storage/storage.ts'

/** Parts of a project whose settings go with a branch: what main has when it is made, and back with a merge. */
export const travelAreas = ['auth', 'data_api', 'realtime', 'storage', 'buckets'] as const
export type TravelArea = (typeof travelAreas)[number]

/** What each area asks of who looks at its settings, and of who changes them. */
export const travelNeeds: Record<TravelArea, { reads: Need; changes: Need }> = {
  // Not what its endpoint asks for, which is enough for the mail server alone.
  auth: {
    reads: authConfig.get.needs,
    changes: inProject('write:Update', 'custom_config_gotrue'),
  },
  data_api: { reads: dataApi.config.needs, changes: dataApi.updateConfig.needs },
  realtime: { reads: realtime.config.needs, changes: realtime.updateConfig.needs },
  storage: { reads: storageSettings.get.needs, changes: storageSettings.update.needs },
  buckets: { reads: storage.buckets.needs, changes: storage.createBucket.needs },
}

/**
 * What names this one project, or works with an account that it has elsewhere: addresses, providers, the mail server, hooks, the service
 * for text messages and what needs one, a captcha, numbers for tests, and what depends on the size of the server.
 */
const staysBehind =
  /^(?:SITE_URL|URI_ALLOW_LIST|HOOK_.*|SMTP_(?!MAX_FREQUENCY$).*|WEBAUTHN_RP_.*|SAML_EXTERNAL_URL|SECURITY_CAPTCHA_.*|DB_MAX_POOL_SIZE|SMS_(?:PROVIDER|TEST_OTP.*|MESSAGEBIRD_.*|TEXTLOCAL_.*|TWILIO_.*|VONAGE_.*)|EXTERNAL_(?!(?:EMAIL|ANONYMOUS_USERS|WEB3_ETHEREUM|WEB3_SOLANA)_ENABLED$).*|MFA_PHONE_(?:ENROLL|VERIFY)_ENABLED)$/
/** Texts of these forms say where something is, or whom it is from. */
const addresses: readonly string[] = ['site', 'allow-list', 'https', 'host', 'email', 'sender']

const isAddress = (key: AuthKey) => {
  const setting = settingOf(key)
  return setting.type === 'text' && addresses.includes(setting.form ?? '')
}

/** Settings of the auth service that go with a branch; never a secret. */
export const travellingAuthKeys: readonly AuthKey[] = authKeys.filter(
  (key) => !isSecret(key) && !isAddress(key) && !staysBehind.test(key),
)
/** How many connections there are depends on the size of the server, and each project has its own. */
export const travellingDataApiKeys = [
  'db_schema',
  'db_extra_search_path',
  'max_rows',
  'new_tables',
  'rate_limit',
] as const
/** Stopping the service is a deed at one project, and no setting. */
export const travellingRealtimeKeys = [
  'private_only',
  'max_concurrent_users',
  'max_events_per_second',
  'max_bytes_per_second',
  'max_channels_per_client',
  'max_joins_per_second',
  'max_presence_events_per_second',
  'max_payload_size_in_kb',
] as const
export const travellingStorageKeys = ['fileSizeLimit', 'imageTransformation', 's3Protocol'] as const

export const SettingName = z.object({
  area: z.enum(travelAreas),
  /** Of a bucket its id. */
  name: z.string().min(1).max(200),
})
export type SettingName = z.infer<typeof SettingName>

/** One setting that differs. Null: there is none, or the caller may not look at this area. */
export const SettingDifference = SettingName.extend({
  /** What stands now where it would go. */
  from: z.json(),
  to: z.json(),
})
export type SettingDifference = z.infer<typeof SettingDifference>

/** One that was changed here and on main since the branch was last updated, each in its own way. */
export const SettingConflict = SettingName.extend({ branch: z.json(), main: z.json() })
export type SettingConflict = z.infer<typeof SettingConflict>

/** What people call the areas, and where each begins in a list. */
export const areaNames: Record<TravelArea, string> = {
  auth: 'Auth',
  data_api: 'Data API',
  realtime: 'Realtime',
  storage: 'Storage',
  buckets: 'Bucket',
}
/** Such as `Auth JWT_EXP`, for messages. */
export const settingName = ({ area, name }: SettingName): string => `${areaNames[area]} ${name}`
