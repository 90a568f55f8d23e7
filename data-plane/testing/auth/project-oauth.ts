import { clientId } from './external-oauth.ts'
import type { Row } from './project-providers.ts'

const ada = 'ada@example.com'
const discord = {
  id: '80351110224678912',
  username: 'ada',
  global_name: 'Ada L',
  avatar: 'abc',
  email: ada,
}
const zoom = {
  id: 'z-1',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: ada,
  pic_url: 'https://p/z',
}
const kakao = (verified: boolean) => ({
  id: 123456789,
  kakao_account: {
    profile: { nickname: 'Ada', profile_image_url: 'https://p/k' },
    email: ada,
    is_email_valid: true,
    is_email_verified: verified,
  },
})
const bitbucket = (confirmed: boolean) => ({
  'https://api.bitbucket.org/2.0/user': {
    uuid: '{c788b2da}',
    nickname: 'ada',
    display_name: 'Ada L',
    links: { avatar: { href: 'https://p/b' } },
  },
  'https://api.bitbucket.org/2.0/user/emails': {
    values: [
      { email: 'old@example.com', is_primary: false, is_confirmed: false },
      { email: ada, is_primary: true, is_confirmed: confirmed },
    ],
  },
})

export const oauthRows: Record<string, Row> = {
  bitbucket: {
    authorize: 'https://bitbucket.org/site/oauth2/authorize',
    token: 'https://bitbucket.org/site/oauth2/access_token',
    client: 'basic',
    reads: bitbucket(true),
    asks: { scope: 'account email' },
    person: {
      sub: '{c788b2da}',
      email: ada,
      full_name: 'Ada L',
      user_name: 'ada',
      avatar_url: 'https://p/b',
    },
    unverified: { reads: bitbucket(false) },
  },
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    client: 'post',
    reads: { 'https://discord.com/api/users/@me': { ...discord, verified: true } },
    asks: { scope: 'email identify' },
    person: {
      sub: discord.id,
      email: ada,
      full_name: 'Ada L',
      user_name: 'ada',
      avatar_url: `https://cdn.discordapp.com/avatars/${discord.id}/abc.png`,
    },
    unverified: { reads: { 'https://discord.com/api/users/@me': { ...discord, verified: false } } },
  },
  facebook: {
    authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    client: 'post',
    proof: true,
    reads: {
      'https://graph.facebook.com/v23.0/me': {
        id: '10',
        name: 'Ada',
        email: ada,
        picture: { data: { url: 'https://p/f' } },
      },
    },
    asks: { scope: 'email' },
    person: { sub: '10', email: ada, full_name: 'Ada', avatar_url: 'https://p/f' },
  },
  figma: {
    authorize: 'https://www.figma.com/oauth',
    token: 'https://api.figma.com/v1/oauth/token',
    client: 'basic',
    reads: {
      'https://api.figma.com/v1/me': { id: '7', email: ada, handle: 'Ada', img_url: 'https://p/i' },
    },
    asks: { scope: 'current_user:read' },
    person: { sub: '7', email: ada, full_name: 'Ada', avatar_url: 'https://p/i' },
  },
  kakao: {
    authorize: 'https://kauth.kakao.com/oauth/authorize',
    token: 'https://kauth.kakao.com/oauth/token',
    client: 'post',
    reads: { 'https://kapi.kakao.com/v2/user/me': kakao(true) },
    asks: { scope: 'account_email profile_image profile_nickname' },
    person: { sub: '123456789', email: ada, full_name: 'Ada', avatar_url: 'https://p/k' },
    unverified: { reads: { 'https://kapi.kakao.com/v2/user/me': kakao(false) } },
  },
  notion: {
    authorize: 'https://api.notion.com/v1/oauth/authorize',
    token: 'https://api.notion.com/v1/oauth/token',
    client: 'basic',
    json: true,
    headers: { 'notion-version': '2022-06-28' },
    reads: {
      'https://api.notion.com/v1/users/me': {
        type: 'bot',
        bot: {
          owner: {
            type: 'user',
            user: { id: 'n1', name: 'Ada', avatar_url: null, person: { email: ada } },
          },
        },
      },
    },
    asks: { owner: 'user' },
    person: { sub: 'n1', email: ada, full_name: 'Ada' },
  },
  slack: {
    authorize: 'https://slack.com/oauth/v2/authorize',
    token: 'https://slack.com/api/oauth.v2.access',
    client: 'post',
    answer: (token) => ({
      ok: true,
      authed_user: { id: 'U1', access_token: token, token_type: 'user' },
    }),
    reads: {
      'https://slack.com/api/users.identity': {
        ok: true,
        user: { id: 'U1', name: 'Ada', email: ada, image_192: 'https://p/s' },
        team: { id: 'T1' },
      },
    },
    asks: { user_scope: 'identity.basic,identity.email,identity.avatar' },
    person: { sub: 'U1', email: ada, full_name: 'Ada', avatar_url: 'https://p/s' },
  },
  spotify: {
    authorize: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    client: 'basic',
    pkce: true,
    reads: {
      'https://api.spotify.com/v1/me': { id: 's1', display_name: 'Ada', email: ada, images: [] },
    },
    asks: { scope: 'user-read-email' },
    person: { sub: 's1', email: ada, full_name: 'Ada' },
    unverified: {},
  },
  twitch: {
    authorize: 'https://id.twitch.tv/oauth2/authorize',
    token: 'https://id.twitch.tv/oauth2/token',
    client: 'post',
    // Its scopes come as a list.
    answer: (token) => ({ access_token: token, token_type: 'bearer', scope: ['user:read:email'] }),
    headers: { 'client-id': clientId },
    reads: {
      'https://api.twitch.tv/helix/users': {
        data: [
          {
            id: '141981764',
            login: 'ada',
            display_name: 'Ada',
            profile_image_url: 'https://p/t',
            email: ada,
          },
        ],
      },
    },
    asks: { scope: 'user:read:email' },
    person: {
      sub: '141981764',
      email: ada,
      full_name: 'Ada',
      user_name: 'ada',
      avatar_url: 'https://p/t',
    },
  },
  twitter: {
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    client: 'basic',
    pkce: true,
    reads: {
      'https://api.x.com/2/users/me': {
        data: {
          id: '22',
          name: 'Ada',
          username: 'ada',
          profile_image_url: 'https://p/x',
          confirmed_email: ada,
        },
      },
    },
    asks: { scope: 'users.read tweet.read users.email', code_challenge_method: 'S256' },
    person: {
      sub: '22',
      email: ada,
      full_name: 'Ada',
      user_name: 'ada',
      avatar_url: 'https://p/x',
    },
  },
  workos: {
    authorize: 'https://api.workos.com/sso/authorize',
    token: 'https://api.workos.com/sso/token',
    client: 'post',
    reads: {
      'https://api.workos.com/sso/profile': {
        id: 'prof_1',
        email: ada,
        first_name: 'Ada',
        last_name: 'L',
      },
    },
    asks: { response_type: 'code' },
    person: { sub: 'prof_1', email: ada, full_name: 'Ada L' },
  },
  zoom: {
    authorize: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    client: 'basic',
    pkce: true,
    reads: { 'https://api.zoom.us/v2/users/me': { ...zoom, verified: 1 } },
    asks: { scope: 'user:read' },
    person: { sub: 'z-1', email: ada, full_name: 'Ada Lovelace', avatar_url: 'https://p/z' },
    unverified: { reads: { 'https://api.zoom.us/v2/users/me': { ...zoom, verified: 0 } } },
  },
}
