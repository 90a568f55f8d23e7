import { expect, test } from 'vitest'
import { readConfig } from '#kit/config'
import { httpsNotes } from './https-notes.ts'

const settings = {
  PLINTH_HTTPS_PORT: '8443',
  PLINTH_HTTP_CHALLENGE_PORT: '8080',
  PLINTH_URL: 'https://plinth.example.com',
  PLINTH_PROJECT_URL: 'https://api.example.com/{ref}',
}
const acme = {
  PLINTH_ACME_DIRECTORY: 'https://acme.example.com/directory',
  PLINTH_ACME_TERMS: 'agreed',
}
const files = { PLINTH_HTTPS_CERTIFICATE: '/c.pem', PLINTH_HTTPS_KEY: '/k.pem' }
const wildcard = { PLINTH_PROJECT_URL: 'https://{ref}.example.com' }
const notes = (more: Record<string, string>) => httpsNotes(readConfig({ ...settings, ...more }))
const both = 'plinth.example.com and api.example.com'

test.each<[string, Record<string, string>, string[]]>([
  ['nothing of HTTPS', { PLINTH_HTTPS_PORT: '', PLINTH_HTTP_CHALLENGE_PORT: '' }, []],
  ['files', files, []],
  ['an authority', acme, [`https: Plinth gets the certificates of ${both} by itself`]],
  ['both', { ...acme, ...files }, []],
  [
    'neither',
    {},
    [`https: nothing proves ${both}; set PLINTH_ACME_DIRECTORY or PLINTH_HTTPS_CERTIFICATE`],
  ],
  [
    'an authority and a name for each project',
    { ...acme, ...wildcard },
    [
      'https: Plinth gets the certificates of plinth.example.com by itself',
      'https: no certificate for *.example.com can be got by itself (HTTP-01); give one with PLINTH_HTTPS_CERTIFICATE',
    ],
  ],
  ['files for a name for each project', { ...acme, ...wildcard, ...files }, []],
  [
    'an authority that finds nobody',
    { ...acme, PLINTH_HTTP_CHALLENGE_PORT: '' },
    [
      `https: Plinth gets the certificates of ${both} by itself`,
      'https: certificate authorities ask at port 80; set PLINTH_HTTP_CHALLENGE_PORT, or lead their questions to another port of Plinth',
    ],
  ],
])('%s', (_, more, lines) => {
  expect(notes(more)).toEqual(lines)
})
