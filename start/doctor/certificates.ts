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

/** The certificate for connections to databases, where the operator gives one. */
export async function lookAtCertificates(config: Config, now = Date.now()): Promise<Finding[]> {
  const files = config.databaseCertificate
  if (!files) return []
  const name = 'PLINTH_DATABASE_CERTIFICATE'
  const todo = 'give both files as PEM, readable for the user of Plinth'
  let certificate: X509Certificate
  let isItsKey: boolean
  try {
    // What follows the first one is those between it and its authority.
    certificate = new X509Certificate(await readFile(files.certificate))
    isItsKey = certificate.checkPrivateKey(createPrivateKey(await readFile(files.key)))
  } catch (error) {
    return [certificates.fail(`${name} and its key cannot be used: ${reasonOf(error)}`, todo)]
  }
  const [from, until] = [certificate.validFrom, certificate.validTo].map((text) => Date.parse(text))
  const days = Math.floor(((until ?? 0) - now) / dayMs)
  const findings: Finding[] = []
  if (!isItsKey)
    findings.push(
      certificates.fail(
        `${name}: PLINTH_DATABASE_KEY is the key of another one`,
        'give its own key',
      ),
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
  const hosts = databaseHosts(config)
  const isFor = (host: string) =>
    (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
  if (!hosts.some(isFor))
    findings.push(
      certificates.warn(
        `${name}: it is for none of ${hosts.join(', ')}`,
        'clients that look at names refuse it; give one for the name by which they come',
      ),
    )
  return findings.length > 0
    ? findings
    : [certificates.ok(`${name}: valid for ${days} days, with its key`)]
}
