import { resolve } from 'node:path'
import { configOrExit, exitWith, version } from './program.ts'
import { StateError } from './state/layout.ts'
import { makeBackup } from './state/make.ts'
import { passphraseFrom } from './state/passphrase.ts'
import { restoreBackup } from './state/restore.ts'
import { verifyBackup } from './state/verify.ts'

/** `plinth backup FOLDER`, `plinth backup verify FOLDER` and `plinth restore FOLDER`: the platform as a whole. */
const usage = [
  'usage: plinth backup FOLDER          backs up the platform that runs on PLINTH_HOME into a new folder',
  '       plinth backup verify FOLDER   checks a backup by reading all of it',
  '       plinth restore FOLDER         restores a backup into an empty PLINTH_HOME',
  'A passphrase encrypts the keys: from PLINTH_BACKUP_PASSPHRASE, from the file that PLINTH_BACKUP_PASSPHRASE_FILE names, or typed.',
].join('\n')
const say = (line: string) => process.stdout.write(`${line}\n`)

const words = process.argv.slice(2)
if (words.includes('--help') || words.includes('-h')) {
  say(usage)
  process.exit(0)
}
const isVerify = words[0] === 'backup' && words[1] === 'verify' && words.length === 3
const folder = isVerify ? words[2] : words[1]
if (folder === undefined || folder.startsWith('-') || words.length !== (isVerify ? 3 : 2)) {
  exitWith(usage)
}

const config = configOrExit()
const at = resolve(folder)
try {
  const isNew = words[0] === 'backup' && !isVerify
  const passphrase = await passphraseFrom(process.env, isNew)
  if (isVerify) await verifyBackup(at, passphrase, say)
  else if (words[0] === 'restore') {
    await restoreBackup({ config, from: at, passphrase, say })
    say(`restored onto ${config.home}: start it with npm start`)
  } else {
    await makeBackup({ config, version: version(), into: at, passphrase, say })
    say(`backed up into ${at}`)
  }
} catch (error) {
  if (!(error instanceof StateError)) throw error
  exitWith(error.message)
}
