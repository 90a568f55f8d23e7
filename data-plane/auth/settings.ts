import type { AuthConfig } from './config.ts'

export const health = {
  version: 'v1',
  name: 'Plinth Auth',
  description: 'Plinth Auth signs users in and manages their accounts',
}

/** Every place to sign in that the protocol knows; clients read the whole list. */
const known =
  `apple azure bitbucket discord facebook figma fly github gitlab google keycloak kakao linkedin
  linkedin_oidc notion spotify slack slack_oidc snapchat workos twitch twitter x zoom`.split(/\s+/)

/** What a client may know about the configuration before anybody signs in. */
export function settings(config: AuthConfig) {
  return {
    external: {
      ...Object.fromEntries(known.map((name) => [name, false])),
      anonymous_users: config.anonymousEnabled,
      email: config.emailEnabled,
      phone: config.phoneEnabled,
      ...Object.fromEntries(config.external.map(({ name }) => [name, true])),
    },
    /** Not in the protocol: what our own pages write on the buttons. */
    external_labels: Object.fromEntries(config.external.map(({ name, label }) => [name, label])),
    disable_signup: config.disableSignup,
    mailer_autoconfirm: config.mailerAutoconfirm,
    phone_autoconfirm: config.smsAutoconfirm,
    sms_provider: config.smsProvider?.kind ?? '',
    saml_enabled: config.ssoEnabled,
    passkeys_enabled: config.passkeysEnabled,
  }
}
