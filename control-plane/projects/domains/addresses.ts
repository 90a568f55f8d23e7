import { ApiError } from '#kit/errors'
import { isPublicName } from './names.ts'

type Settings = {
  /** Template of project addresses with `{ref}`. */
  projectUrl: string
  /** The address of the dashboard. */
  url: string
  databaseHost: string
  /** Where custom hostnames are to point to, where the operator says so. */
  target?: string | undefined
}

const hostOf = (url: string) => new URL(url).hostname.toLowerCase()

/** What the addresses of an installation mean for names of projects. */
export function installationNames({ projectUrl, url, databaseHost, target }: Settings) {
  const whole = hostOf(projectUrl.replaceAll('{ref}', 'ref'))
  const inHost = /^https?:\/\/[^/]*\{ref\}/.test(projectUrl)
  /** The domain below which each project has a name: all labels behind the one that the ref stands in. */
  const domain = inHost
    ? hostOf(projectUrl.replaceAll('{ref}', 'ref')).replace(/^[^.]*\.?/, '')
    : ''
  /** A vanity subdomain stands where the ref does, so that has to be a label of its own. */
  const isWholeLabel = /^https?:\/\/\{ref\}\./.test(projectUrl)
  const given = target?.toLowerCase()
  const own = [given, domain || whole, hostOf(url), databaseHost.toLowerCase()]
  return {
    https: projectUrl.startsWith('https:'),
    vanityDomain: inHost && isWholeLabel ? domain : null,
    /** What the name of a project has to point to; null: there is no public name to point to. */
    targetOf(ref: string): string | null {
      const name = given ?? hostOf(projectUrl.replaceAll('{ref}', ref))
      return isPublicName(name) ? name : null
    },
    /** Names of the installation, with all below them. */
    own: [
      ...new Set(own.filter((name): name is string => name !== undefined && isPublicName(name))),
    ],
  }
}
/** @throws ApiError where a custom hostname has nothing to point to */
export function requireTarget(names: InstallationNames, ref: string): void {
  if (names.targetOf(ref) !== null) return
  throw new ApiError(
    'not_on_this_installation',
    'This installation has no public name that a custom hostname could point to. Its operator sets PLINTH_CUSTOM_HOSTNAME_TARGET',
  )
}
export type InstallationNames = ReturnType<typeof installationNames>
