import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Config } from '#kit/config'
import { databaseHosts } from '../platform/database-hosts.ts'
import { reasonOf, sayAbout, type Finding } from './finding.ts'

const certificates = sayAbout('certificates')
const dayMs = 86_400_000
/** With less left it is time to think of the next one. */
const fewDays = 21

type Pair = {
  /** The settings that name the files. */
  name: string
  keyName: string
  files: { certificate: string; key: string }
}
/** A file of the operator's that can be read, and what is found of it. */
type Read = { certificate: X509Certificate | undefined; findings: Finding[]; isSound: Finding[] }

/** The certificates that the operator gives, and those that Plinth is to get for the installation's own names. */
export async function lookAtCertificates(config: Config, now = Date.now()): Promise<Finding[]> {
  return [...(await ofDatabases(config, now)), ...(await ofHttps(config, now))]
}

async function lookAtPair({ name, keyName, files }: Pair, now: number): Promise<Read> {
  const todo = 'give both files as PEM, readable for the user of Plinth'
  let certificate: X509Certificate
  let isItsKey: boolean
  try {
    // What follows the first one is those between it and its authority.
    certificate = new X509Certificate(await readFile(files.certificate))
    isItsKey = certificate.checkPrivateKey(createPrivateKey(await readFile(files.key)))
  } catch (error) {
    const says = `${name} and its key cannot be used: ${reasonOf(error)}`
    return { certificate: undefined, findings: [certificates.fail(says, todo)], isSound: [] }
  }
  const [from, until] = [certificate.validFrom, certificate.validTo].map((text) => Date.parse(text))
  const days = Math.floor(((until ?? 0) - now) / dayMs)
  const findings: Finding[] = []
  if (!isItsKey)
    findings.push(
      certificates.fail(`${name}: ${keyName} is the key of another one`, 'give its own key'),
    )
  if ((from ?? 0) > now)
    findings.push(
      certificates.fail(`${name}: not valid before ${certificate.validFrom}`, 'look at the clock'),
    )
  else if (days < 0)
    findings.push(
      certificates.fail(`${name}: not valid since ${certificate.validTo}`, 'give a newer one'),
    )
  else if (days < fewDays)
    findings.push(certificates.warn(`${name}: ends in ${days} days`, 'give a newer one soon'))
  const isSound = [certificates.ok(`${name}: valid for ${days} days, with its key`)]
  return { certificate, findings, isSound }
}

const isFor = (certificate: X509Certificate, host: string) =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined

async function ofDatabases(config: Config, now: number): Promise<Finding[]> {
  const { databaseCertificate: files } = config
  if (!files) return []
  const name = 'PLINTH_DATABASE_CERTIFICATE'
  const read = await lookAtPair({ name, keyName: 'PLINTH_DATABASE_KEY', files }, now)
  const { certificate, findings, isSound } = read
  const hosts = databaseHosts(config)
  if (certificate && !hosts.some((host) => isFor(certificate, host)))
    findings.push(
      certificates.warn(
        `${name}: it is for none of ${hosts.join(', ')}`,
        'clients that look at names refuse it; give one for the name by which they come',
      ),
    )
  return findings.length > 0 ? findings : isSound
}

/** By what each of the installation's names at the HTTPS port is proved. */
async function ofHttps({ https, acme }: Config, now: number): Promise<Finding[]> {
  if (!https) return []
  const { own: files, wildcard, names, challengePort } = https
  const pair = { name: 'PLINTH_HTTPS_CERTIFICATE', keyName: 'PLINTH_HTTPS_KEY' }
  const { certificate, findings, isSound } = files
    ? await lookAtPair({ ...pair, files }, now)
    : { certificate: undefined, findings: [], isSound: [] }
  // One that cannot be read says nothing of names.
  if (files && !certificate) return findings
  const isGiven = (host: string) => certificate !== undefined && isFor(certificate, host)
  const wanted = names.filter((host) => !isGiven(host))
  const found = findings.length > 0 ? findings : isSound
  if (wildcard !== undefined && !isGiven(wildcard.replace('*', 'ref')))
    found.push(
      certificates.fail(
        `nothing proves ${wildcard}, which no authority gives by HTTP-01`,
        'give a certificate for it with PLINTH_HTTPS_CERTIFICATE',
      ),
    )
  if (wanted.length === 0) return found
  const shown = wanted.join(' and ')
  if (!acme)
    return [
      ...found,
      certificates.fail(
        `nothing proves ${shown}`,
        'set PLINTH_ACME_DIRECTORY, or give a certificate with PLINTH_HTTPS_CERTIFICATE',
      ),
    ]
  if (challengePort === undefined)
    found.push(
      certificates.warn(
        'certificate authorities ask at port 80, where Plinth does not listen',
        'set PLINTH_HTTP_CHALLENGE_PORT, or lead their questions to another port of Plinth',
      ),
    )
  return [...found, certificates.ok(`${shown}: Plinth gets a certificate at ${acme.directory}`)]
}
