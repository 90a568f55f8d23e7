import { expect, test } from 'vitest'
import { misspelt } from './misspelt.ts'

test.each([
  ['PLINTH_HOEM', ['PLINTH_HOEM is not a setting and is ignored; did you mean PLINTH_HOME?']],
  [
    'PLINTH_TRUSTED_PROXY',
    ['PLINTH_TRUSTED_PROXY is not a setting and is ignored; did you mean PLINTH_TRUSTED_PROXIES?'],
  ],
  ['PLINTH_SOMETHING_ELSE_ENTIRELY_OF_MINE', [expect.stringMatching(/is ignored$/)]],
  ['PLINTH_HOME', []],
  ['PLINTH_BACKUP_PASSPHRASE', []],
  ['PORT', []],
])('%s', (name, warnings) => {
  expect(misspelt({ [name]: 'x', PATH: '/usr/bin' })).toEqual(warnings)
})
