import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'

const acme = {
  PLINTH_HTTPS_PORT: '8443',
  PLINTH_ACME_DIRECTORY: 'https://acme.example.com/directory',
  PLINTH_ACME_TERMS: 'agreed',
}

test('nothing is on by itself', () => {
  expect(readConfig({})).toMatchObject({ https: undefined, acme: undefined })
})

test('people write the port of project addresses, where these are HTTPS', () => {
  expect(readConfig({ PLINTH_HTTPS_PORT: '8443' }).https).toMatchObject({
    port: 8443,
    publicPort: 8443,
    challengePort: undefined,
    own: undefined,
  })
  const url = { PLINTH_PROJECT_URL: 'https://api.example.com/{ref}' }
  const { https } = readConfig({
    ...url,
    PLINTH_HTTPS_PORT: '8443',
    PLINTH_HTTP_CHALLENGE_PORT: '8080',
  })
  expect(https).toMatchObject({ port: 8443, publicPort: 443, challengePort: 8080 })
})

test('an authority comes with an account and what it is trusted by', () => {
  const more = { PLINTH_ACME_EMAIL: 'ops@example.com', PLINTH_ACME_CA: '/etc/ca.pem' }
  expect(readConfig({ ...acme, ...more }).acme).toEqual({
    directory: 'https://acme.example.com/directory',
    email: 'ops@example.com',
    ca: '/etc/ca.pem',
  })
})

const both = {
  PLINTH_HTTPS_PORT: '8443',
  PLINTH_URL: 'https://plinth.example.com',
  PLINTH_PROJECT_URL: 'https://api.example.com/{ref}',
}
const named = (more: Record<string, string> = {}) => {
  const { dashboard, names, wildcard } = readConfig({ ...both, ...more }).https ?? {}
  return { dashboard, names, wildcard }
}

test('the names of the installation are those of its addresses at the HTTPS port', () => {
  const [dashboard, api] = ['plinth.example.com', 'api.example.com']
  expect(named()).toEqual({ dashboard, names: [dashboard, api], wildcard: undefined })
  expect(named({ PLINTH_PROJECT_URL: 'https://{ref}.example.com' })).toEqual({
    dashboard,
    names: [dashboard],
    wildcard: '*.example.com',
  })
  // Somebody else serves the dashboard: by a setting, without TLS, or at another port.
  const without = { dashboard: undefined, names: [api], wildcard: undefined }
  expect(named({ PLINTH_HTTPS_DASHBOARD: 'off' })).toEqual(without)
  expect(named({ PLINTH_URL: 'http://plinth.example.com' })).toEqual(without)
  expect(named({ PLINTH_URL: 'https://plinth.example.com:9443' })).toEqual(without)
  expect(named({ PLINTH_PROJECT_URL: 'http://api.example.com/{ref}' })).toEqual({
    dashboard: undefined,
    names: [],
    wildcard: undefined,
  })
})

test.each(['localhost', 'plinth.localhost', 'plinth', '192.0.2.7', '[2001:db8::1]'])(
  'no authority is asked for %s, which is served all the same',
  (host) => {
    expect(named({ PLINTH_URL: `https://${host}` })).toMatchObject({
      dashboard: host,
      names: ['api.example.com'],
    })
  },
)

test.each([
  [
    'an authority without its terms',
    { ...acme, PLINTH_ACME_TERMS: '' },
    'PLINTH_ACME_TERMS=agreed',
  ],
  ['terms that are not agreed', { ...acme, PLINTH_ACME_TERMS: 'no' }, 'must be agreed'],
  ['terms of nobody', { PLINTH_ACME_TERMS: 'agreed' }, 'needs PLINTH_ACME_DIRECTORY'],
  ['certificates for nothing', { ...acme, PLINTH_HTTPS_PORT: '' }, 'needs PLINTH_HTTPS_PORT'],
  ['challenges of nobody', { PLINTH_HTTP_CHALLENGE_PORT: '80' }, 'needs PLINTH_HTTPS_PORT'],
  ['half a certificate', { ...acme, PLINTH_HTTPS_KEY: '/x' }, 'one of them needs the other'],
  [
    'a directory that is no address',
    { ...acme, PLINTH_ACME_DIRECTORY: 'ftp://x' },
    'must start with',
  ],
  [
    'one name for both',
    { ...both, PLINTH_URL: 'https://api.example.com' },
    'PLINTH_URL and PLINTH_PROJECT_URL: both name api.example.com',
  ],
  ['a port that is none', { PLINTH_HTTPS_PORT: '0' }, 'PLINTH_HTTPS_PORT'],
])('%s ends the start', (_, environment, message) => {
  expect(() => readConfig(environment)).toThrow(ConfigError)
  expect(() => readConfig(environment)).toThrow(message)
})
