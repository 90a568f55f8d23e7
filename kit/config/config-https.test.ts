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
  expect(readConfig({ PLINTH_HTTPS_PORT: '8443' }).https).toEqual({
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
  ['a port that is none', { PLINTH_HTTPS_PORT: '0' }, 'PLINTH_HTTPS_PORT'],
])('%s ends the start', (_, environment, message) => {
  expect(() => readConfig(environment)).toThrow(ConfigError)
  expect(() => readConfig(environment)).toThrow(message)
})
