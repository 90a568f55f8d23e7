import { internal } from '#contract/internal-api'
import { hasVanityNames, projectEndpoint } from '#contract/projects/project-address'
import { domains as api, type Domains } from '#contract/projects/domains'
import { ApiError } from '#kit/errors'
import { implement, implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { createDomainAddOn } from './add-on.ts'
import { installationNames } from './addresses.ts'
import { createAcme } from './certificates/acme.ts'
import { attemptsStore } from './certificates/attempts-store.ts'
import { certificateStore } from './certificates/certificate-store.ts'
import { createCertificates } from './certificates/certificates.ts'
import { createInstallationCertificates } from './certificates/installation-certificates.ts'
import { installationStore } from './certificates/installation-store.ts'
import { createLookAt } from './dns.ts'
import { createHostnames } from './hostnames.ts'
import { createLooks } from './looks.ts'
import { createMissing } from './missing.ts'
import { shapeDomains } from './shape.ts'
import { domainStore } from './store.ts'
import { createVanity } from './vanity.ts'
import { v1DomainRoutes } from './v1-routes.ts'

type Needs = Pick<Parameters<typeof createDomainAddOn>[0], 'admit'> &
  Pick<Parameters<typeof createMissing>[0], 'mail'>

/** Names of projects beside the one that they are made with: a custom hostname, and a vanity subdomain. */
export function domainsFeature(platform: Platform, { admit, mail }: Needs) {
  const { db, secrets, audited, record, projects, each, projectUrl, now, log } = platform
  const { target, dnsServers = [], acme, installation: hosts } = platform.domains ?? {}
  const { url, databaseHost, jobs } = platform
  const store = domainStore(db)
  const names = installationNames({ projectUrl, url, databaseHost, target })
  const looks = createLooks({ store, names, secrets, lookAt: createLookAt(dnsServers), now })
  const { notify } = projects
  const missing = createMissing({ store, looks, record, mail, startJob: jobs.start, url })
  const hostnames = createHostnames({
    store,
    looks,
    missing,
    names,
    audited,
    record,
    notify,
    each,
    now,
  })
  const installation = createInstallationCertificates({
    store: installationStore(db),
    hosts: acme && hosts,
    secrets,
    notify: projects.notifyAny,
    each,
    now,
    log,
  })
  const certificates = createCertificates({
    store: certificateStore(db),
    attempts: attemptsStore(db),
    installation,
    acme: acme && createAcme(acme),
    secrets,
    audited,
    record,
    notify,
    each,
    now,
    log,
  })
  const vanity = createVanity({ store, names, audited, now })
  const addOn = createDomainAddOn({ store, names, audited, record, admit, now })

  async function get(ref: string): Promise<Domains> {
    const subject = await store.subject(ref)
    if (!subject) throw new ApiError('project_not_found')
    const rows = {
      custom: await store.hostname(subject.id),
      vanity: await store.vanity(subject.id),
    }
    const certificate = await certificates.stateOf(subject.id)
    const { tokenOf } = looks
    return shapeDomains(subject, rows, { names, projectUrl, tokenOf, certificate })
  }

  async function activate(by: Parameters<typeof hostnames.activate>[0]): Promise<void> {
    await hostnames.activate(by)
    certificates.beginSoon()
  }

  const vanityHost = (name: string) =>
    hasVanityNames(projectUrl) ? new URL(projectEndpoint(name, projectUrl)).hostname : undefined

  return {
    addOn,
    rounds: [
      { seconds: 60, name: 'records of custom hostnames', run: hostnames.round },
      { seconds: 10, name: 'certificates of custom hostnames', run: certificates.round },
    ],
    round: hostnames.round,
    certificatesRound: certificates.round,
    close: certificates.close,
    routes: [
      implement(api.get, ({ ref }) => get(ref)),
      implement(api.initialize, async ({ ref, hostname }, caller, origin) => {
        await hostnames.initialize({ caller, ref, origin }, hostname)
        return get(ref)
      }),
      implement(api.reverify, async ({ ref }, caller, origin) => {
        await hostnames.reverify({ caller, ref, origin })
        return get(ref)
      }),
      implement(api.activate, async ({ ref }, caller, origin) => {
        await activate({ caller, ref, origin })
        return get(ref)
      }),
      implement(api.retryCertificate, async ({ ref }, caller, origin) => {
        await certificates.retry({ caller, ref, origin })
        certificates.beginSoon()
        return get(ref)
      }),
      implement(api.remove, async ({ ref }, caller, origin) => {
        await hostnames.remove({ caller, ref, origin })
        return get(ref)
      }),
      implementOpen(api.isKnown, async ({ domain }) => {
        const hostname = domain.toLowerCase()
        if (!(await store.isProven(hostname))) throw new ApiError('not_found')
        return { hostname }
      }),
      implement(api.checkVanity, async ({ ref, name }) => {
        const reason = await vanity.reasonAgainst(ref, name)
        return { available: reason === null, reason }
      }),
      implement(api.activateVanity, async ({ ref, name }, caller, origin) => {
        await vanity.activate({ caller, ref, origin }, name)
        return get(ref)
      }),
      implement(api.removeVanity, async ({ ref }, caller, origin) => {
        await vanity.remove({ caller, ref, origin })
        return get(ref)
      }),
      ...v1DomainRoutes({ get, hostnames: { ...hostnames, activate }, vanity }),
      implementOpen(internal.hostnames, async () => [
        ...(await store.served(vanityHost)),
        // The last one holds, where a project had a name before it became the installation's.
        ...(await installation.wanted()),
      ]),
      implementOpen(internal.certificate, ({ hostname }) => certificates.keyPair(hostname)),
      implementOpen(internal.acmeChallenge, async ({ hostname, token }) => ({
        answer: await certificates.answer(hostname, token),
      })),
    ],
  }
}
