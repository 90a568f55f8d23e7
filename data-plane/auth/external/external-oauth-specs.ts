import type { OAuthSpec } from './external-oauth-spec.ts'

/** Places where people are for themselves. */
export const socialSpecs = {
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    user: 'https://discord.com/api/users/@me',
    scopes: ['email', 'identify'],
    profile: {
      subject: 'id',
      email: 'email',
      verified: 'verified',
      name: ['{global_name}', '{username}'],
      userName: 'username',
      picture: ['https://cdn.discordapp.com/avatars/{id}/{avatar}.png'],
    },
  },
  facebook: {
    authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    user: 'https://graph.facebook.com/v23.0/me?fields=id,name,first_name,last_name,email,picture',
    scopes: ['email'],
    proof: 'appsecret_proof',
    profile: {
      subject: 'id',
      email: 'email',
      // It leaves out addresses that were not confirmed.
      verified: true,
      name: ['{name}', '{first_name} {last_name}'],
      picture: ['{picture.data.url}'],
    },
  },
  kakao: {
    authorize: 'https://kauth.kakao.com/oauth/authorize',
    token: 'https://kauth.kakao.com/oauth/token',
    user: 'https://kapi.kakao.com/v2/user/me',
    scopes: ['account_email', 'profile_image', 'profile_nickname'],
    profile: {
      subject: 'id',
      email: 'kakao_account.email',
      verified: 'kakao_account.is_email_verified',
      name: ['{kakao_account.profile.nickname}'],
      userName: 'kakao_account.profile.nickname',
      picture: ['{kakao_account.profile.profile_image_url}'],
    },
  },
  spotify: {
    authorize: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    user: 'https://api.spotify.com/v1/me',
    scopes: ['user-read-email'],
    pkce: true,
    basic: true,
    profile: {
      subject: 'id',
      email: 'email',
      // Its documentation says that nobody checked whose the address is.
      verified: false,
      name: ['{display_name}'],
      picture: ['{images.0.url}'],
    },
  },
  twitch: {
    authorize: 'https://id.twitch.tv/oauth2/authorize',
    token: 'https://id.twitch.tv/oauth2/token',
    user: 'https://api.twitch.tv/helix/users',
    scopes: ['user:read:email'],
    headers: { 'client-id': '{client_id}' },
    profile: {
      subject: 'data.0.id',
      email: 'data.0.email',
      // It names the verified address only.
      verified: true,
      name: ['{data.0.display_name}', '{data.0.login}'],
      userName: 'data.0.login',
      picture: ['{data.0.profile_image_url}'],
    },
  },
  /** Its second version: OAuth 2 with PKCE. Keys of the first version (OAuth 1.0a) do not work with it. */
  twitter: {
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    user: 'https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email',
    scopes: ['users.read', 'tweet.read', 'users.email'],
    pkce: true,
    basic: true,
    profile: {
      subject: 'data.id',
      email: 'data.confirmed_email',
      verified: true,
      name: ['{data.name}', '{data.username}'],
      userName: 'data.username',
      picture: ['{data.profile_image_url}'],
    },
  },
} satisfies Record<string, OAuthSpec>

/** Places where people work. */
export const workSpecs = {
  bitbucket: {
    authorize: 'https://bitbucket.org/site/oauth2/authorize',
    token: 'https://bitbucket.org/site/oauth2/access_token',
    user: 'https://api.bitbucket.org/2.0/user',
    scopes: ['account', 'email'],
    basic: true,
    emails: {
      address: 'https://api.bitbucket.org/2.0/user/emails',
      list: 'values',
      email: 'email',
      primary: 'is_primary',
      verified: 'is_confirmed',
    },
    profile: {
      subject: 'uuid',
      name: ['{display_name}', '{nickname}'],
      userName: 'nickname',
      picture: ['{links.avatar.href}'],
    },
  },
  figma: {
    authorize: 'https://www.figma.com/oauth',
    token: 'https://api.figma.com/v1/oauth/token',
    user: 'https://api.figma.com/v1/me',
    scopes: ['current_user:read'],
    basic: true,
    profile: {
      subject: 'id',
      email: 'email',
      // Nobody gets in there without having confirmed their address.
      verified: true,
      name: ['{handle}'],
      userName: 'handle',
      picture: ['{img_url}'],
    },
  },
  notion: {
    authorize: 'https://api.notion.com/v1/oauth/authorize',
    token: 'https://api.notion.com/v1/oauth/token',
    user: 'https://api.notion.com/v1/users/me',
    scopes: [],
    parameters: { owner: 'user' },
    basic: true,
    json: true,
    headers: { 'notion-version': '2022-06-28' },
    profile: {
      subject: 'bot.owner.user.id',
      email: 'bot.owner.user.person.email',
      // People sign in there by a code that is sent to the address.
      verified: true,
      name: ['{bot.owner.user.name}'],
      picture: ['{bot.owner.user.avatar_url}'],
    },
  },
  /** Its older way; the newer one is OpenID Connect (`slack_oidc`), which says of an address whether it is verified. */
  slack: {
    authorize: 'https://slack.com/oauth/v2/authorize',
    token: 'https://slack.com/api/oauth.v2.access',
    user: 'https://slack.com/api/users.identity',
    scopes: ['identity.basic', 'identity.email', 'identity.avatar'],
    scopeParameter: 'user_scope',
    scopeSeparator: ',',
    tokenAt: 'authed_user.access_token',
    profile: {
      subject: 'user.id',
      email: 'user.email',
      // It answers for people whose address it confirmed, and does not say so.
      verified: true,
      name: ['{user.name}'],
      picture: ['{user.image_192}', '{user.image_72}'],
    },
  },
  workos: {
    authorize: 'https://api.workos.com/sso/authorize',
    token: 'https://api.workos.com/sso/token',
    user: 'https://api.workos.com/sso/profile',
    scopes: [],
    profile: {
      subject: 'id',
      email: 'email',
      // The organization's own directory vouches for its addresses.
      verified: true,
      name: ['{first_name} {last_name}', '{first_name}', '{email}'],
    },
  },
  zoom: {
    authorize: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    user: 'https://api.zoom.us/v2/users/me',
    scopes: ['user:read'],
    pkce: true,
    basic: true,
    profile: {
      subject: 'id',
      email: 'email',
      verified: 'verified',
      name: ['{display_name}', '{first_name} {last_name}', '{first_name}'],
      picture: ['{pic_url}'],
    },
  },
} satisfies Record<string, OAuthSpec>
