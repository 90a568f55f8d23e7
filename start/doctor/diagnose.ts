import { ConfigError, readConfig, type Config } from '#kit/config'
import { misspelt } from '../misspelt.ts'
import { lookAtBucket } from './bucket.ts'
import { lookAtCertificates } from './certificates.ts'
import { lookAtCluster } from './cluster.ts'
import { lookAtDatabase } from './database.ts'
import { reasonOf, sayAbout, type Finding } from './finding.ts'
import { lookAtFolders, lookAtPorts } from './folders.ts'
import { lookAtNames } from './names.ts'

type Environment = Readonly<Record<string, string | undefined>>

const settings = sayAbout('settings')
/** A look that takes longer is not waited for. */
const longestMs = 60_000

/**
 * Looks at everything that the settings name, before it is installed or started: whether it is there, and does what Plinth needs of it.
 * Nothing that is not configured is looked at, and nothing stays behind.
 */
export async function diagnose(environment: Environment): Promise<Finding[]> {
  const warnings = misspelt(environment).map((line) =>
    settings.warn(line, 'correct the name, or remove it'),
  )
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.message.split('\n')
    return [...warnings, ...lines.map((line) => settings.fail(line, 'see docs/settings.md'))]
  }
  const isSet = (name: string) => Boolean(environment[name])
  const { platformDatabaseUrl, storageBucket, kubernetes } = config
  const looks: [string, Promise<Finding[]>][] = [
    ['folders', lookAtFolders(config, isSet)],
    ['ports', lookAtPorts(config)],
    ...look('database', platformDatabaseUrl, lookAtDatabase),
    ...look('bucket', storageBucket, lookAtBucket),
    ...look('cluster', kubernetes, lookAtCluster),
    ['names', lookAtNames(config, isSet)],
    ['certificates', lookAtCertificates(config)],
  ]
  const found = await Promise.all(looks.map(([about, findings]) => ended(about, findings)))
  return [...warnings, settings.ok('all of them can be read'), ...found.flat()]
}

/** Of what is configured. */
const look = <T>(
  about: string,
  what: T | undefined,
  at: (what: T) => Promise<Finding[]>,
): [string, Promise<Finding[]>][] => (what === undefined ? [] : [[about, at(what)]])

/** What a look finds, or that it found nothing: one that fails keeps nobody from the others. */
async function ended(about: string, findings: Promise<Finding[]>): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${longestMs / 1000} s`)), longestMs)
  })
  try {
    return await Promise.race([findings, late])
  } catch (error) {
    return [sayAbout(about).fail(`cannot be looked at: ${reasonOf(error)}`, 'see what keeps it')]
  } finally {
    clearTimeout(timer)
  }
}
