import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { shortestPassphrase } from './keys.ts'
import { StateError } from './layout.ts'

/**
 * The passphrase from PLINTH_BACKUP_PASSPHRASE, from the file that PLINTH_BACKUP_PASSPHRASE_FILE names, or asked for at
 * the terminal, twice where it is `isNew`. It is no argument: those can be seen by others on the machine.
 * @throws StateError where there is none, or it is too short
 */
export async function passphraseFrom(
  environment: Readonly<Record<string, string | undefined>>,
  isNew: boolean,
): Promise<string> {
  const file = environment['PLINTH_BACKUP_PASSPHRASE_FILE']
  const given =
    environment['PLINTH_BACKUP_PASSPHRASE'] || (file && (await readFile(file, 'utf8')).trim())
  const passphrase = given || (await asked(isNew))
  if (passphrase.length < shortestPassphrase) {
    throw new StateError(`a passphrase needs ${shortestPassphrase} characters at least`)
  }
  return passphrase
}

async function asked(isNew: boolean): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new StateError(
      'set PLINTH_BACKUP_PASSPHRASE, or PLINTH_BACKUP_PASSPHRASE_FILE to the file that holds it',
    )
  }
  const first = await typed('Passphrase of the backup: ')
  if (isNew && first !== (await typed('The same again: '))) {
    throw new StateError('the two passphrases differ')
  }
  return first
}

/** Nothing of what is typed is shown. */
async function typed(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
