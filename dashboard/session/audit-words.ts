const things = new Map([
  ['accessTokens', 'access token'],
  ['apiKeys', 'API key'],
  ['authConfig', 'auth settings'],
  ['authOauthClients', 'OAuth app of a project'],
  ['billing', 'billing'],
  ['consent', 'privacy settings'],
  ['documents', 'document'],
  ['invitations', 'invitation'],
  ['members', 'member'],
  ['oauthApps', 'app'],
  ['organizations', 'organization'],
  ['profile', 'account'],
  ['projects', 'project'],
  ['signingKeys', 'signing key'],
  ['snippets', 'snippet'],
  ['sso', 'single sign-on'],
  ['thirdPartyAuth', 'third-party auth integration'],
])
const deeds = new Map([
  ['accept', 'Accepted'],
  ['approve', 'Authorized'],
  ['create', 'Created'],
  ['decide', 'Changed'],
  ['download', 'Downloaded'],
  ['pause', 'Paused'],
  ['remove', 'Deleted'],
  ['resend', 'Sent again:'],
  ['restart', 'Restarted'],
  ['restore', 'Resumed'],
  ['revoke', 'Revoked'],
  ['revokeOwn', 'Revoked'],
  ['rotateSecret', 'Made a new secret of'],
  ['update', 'Changed'],
])
/** What is not made of a deed and a thing. */
const whole = new Map([
  ['apiKeys.setLegacy', 'Disabled or enabled the legacy API keys'],
  ['projects.fail', 'Something failed at project'],
  ['projects.disk', 'Database space changed at project'],
  ['projects.pauseByPlatform', 'The platform paused project'],
  ['disk.allowWrites', 'Allowed writes to the full database of project'],
  ['claims.claim', 'Gave the organization to'],
  ['transfer.run', 'Transferred project'],
  ['backups.make', 'Ordered a backup of'],
  ['backups.fail', 'A backup failed of'],
  ['backups.download', 'Downloaded a backup of'],
  ['backups.restore', 'Restored a backup of'],
  ['backups.pitr', 'Restored to a moment'],
  ['v1.restorePitr', 'Restored to a moment'],
  ['backups.clone', 'Restored to a new project'],
  ['backups.archive', 'Changed whether WAL is kept of'],
  ['billing.setAddOn', 'Switched on an add-on of'],
  ['billing.removeAddOn', 'Switched off an add-on of'],
  ['advisors.addException', 'Ignored a finding of the advisors'],
  ['advisors.removeException', 'Took back that a finding is ignored'],
])

/** An action in words, such as "Created project"; undefined for one that has none. */
export function actionWords(name: string): string | undefined {
  const [thing = '', deed = ''] = name.split('.')
  const what = things.get(thing)
  const did = deeds.get(deed)
  return whole.get(name) ?? (what && did ? `${did} ${what}` : undefined)
}

/** The start or end of a day of the address bar, in the person's own zone; undefined for what is no day. */
export function edgeOf(day: string | undefined, edge: 'start' | 'end'): string | undefined {
  if (!day || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const time = new Date(`${day}T${edge === 'start' ? '00:00:00' : '23:59:59.999'}`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
