import { expect, test } from 'vitest'
import { isScramVerifier, normalizePassword, scramVerifier } from './scram.ts'

const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')

test('the example of RFC 7677', async () => {
  expect(await scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  )
})

test('each verifier has a salt of its own, and a password is never taken for one', async () => {
  const [one, two] = await Promise.all([scramVerifier('pencil'), scramVerifier('pencil')])
  expect(one).not.toBe(two)
  expect(isScramVerifier(one)).toBe(true)
  for (const text of ['pencil', '', 'SCRAM-SHA-256$4096:x$y:z', `${one} `, 'md5abc'])
    expect(isScramVerifier(text)).toBe(false)
})

test.each([
  ['plain ASCII stays', 'p@ss word~', 'p@ss word~'],
  ['a ligature becomes letters', '\ufb01ne', 'fine'],
  ['a no-break space becomes a space', 'a\u00a0b', 'a b'],
  ['a soft hyphen vanishes', 'I\u00adX', 'IX'],
  ['a roman numeral becomes letters', '\u2168', 'IX'],
  ['a control character leaves everything as it is', '\ufb01\u0007', '\ufb01\u0007'],
  ['nothing but what vanishes stays', '\u00ad', '\u00ad'],
])('%s', (_, password, expected) => {
  expect(normalizePassword(password)).toBe(expected)
})
