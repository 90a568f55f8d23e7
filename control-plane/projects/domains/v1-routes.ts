import type { Domains } from '#contract/projects/domains'
import { v1 as api } from '#contract/v1/v1'
import type { V1CustomHostname } from '#contract/v1/v1-domains'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Hostnames } from './hostnames.ts'
import type { Vanity } from './vanity.ts'

type Parts = { get: (ref: string) => Promise<Domains>; hostnames: Hostnames; vanity: Vanity }

/** The Management API's way to the names of a project. */
export function v1DomainRoutes({ get, hostnames, vanity }: Parts) {
  const shown = async (ref: string): Promise<V1CustomHostname> => shape(ref, await get(ref))
  return [
    implement(api.customHostname, ({ ref }) => shown(ref)),
    implement(
      api.initializeCustomHostname,
      async ({ ref, custom_hostname: hostname }, caller, origin) => {
        await hostnames.initialize({ caller, ref, origin }, hostname)
        return shown(ref)
      },
    ),
    implement(api.verifyCustomHostname, async ({ ref }, caller, origin) => {
      await hostnames.reverify({ caller, ref, origin })
      return shown(ref)
    }),
    implement(api.activateCustomHostname, async ({ ref }, caller, origin) => {
      await hostnames.activate({ caller, ref, origin })
      return shown(ref)
    }),
    implement(api.removeCustomHostname, async ({ ref }, caller, origin) => {
      await hostnames.remove({ caller, ref, origin })
      return {}
    }),
    implement(api.vanitySubdomain, async ({ ref }) => {
      const { custom, vanity: found } = await get(ref)
      if (found) return { status: 'active' as const, custom_domain: new URL(found.url).hostname }
      return { status: custom?.served ? ('custom-domain-used' as const) : ('not-used' as const) }
    }),
    implement(api.checkVanitySubdomain, async ({ ref, vanity_subdomain: name }) => ({
      available: (await vanity.reasonAgainst(ref, name)) === null,
    })),
    implement(
      api.activateVanitySubdomain,
      async ({ ref, vanity_subdomain: name }, caller, origin) => {
        await vanity.activate({ caller, ref, origin }, name)
        const { vanity: found } = await get(ref)
        if (!found) throw new ApiError('conflict')
        return { custom_domain: new URL(found.url).hostname }
      },
    ),
    implement(api.removeVanitySubdomain, async ({ ref }, caller, origin) => {
      await vanity.remove({ caller, ref, origin })
      return {}
    }),
  ]
}

/** How far it has come, told by its records: whose it is, and whether it leads here. */
function statusOf(custom: NonNullable<Domains['custom']>): V1CustomHostname['status'] {
  if (custom.status === 'active') return '5_services_reconfigured'
  if (custom.status === 'verified') return '4_origin_setup_completed'
  const txt = custom.records.find(({ type }) => type === 'TXT')
  return txt?.state === 'found' ? '3_challenge_verified' : '2_initiated'
}

/** Where certificates come from a proxy, nothing is known of them: then it tells of the records alone. */
function certificateStatusOf({ status, certificate }: NonNullable<Domains['custom']>): string {
  if (status === 'initiated') return 'pending_validation'
  return certificate === null || certificate.state === 'active' ? 'active' : 'pending_issuance'
}

function shape(ref: string, { custom, target }: Domains): V1CustomHostname {
  const txt = custom?.records.find(({ type }) => type === 'TXT')
  if (!custom || !txt)
    throw new ApiError('not_found', 'There is no custom hostname configuration for this project')
  const lacks = custom.records.flatMap(({ type, state }) =>
    state === null || state === 'found' ? [] : [`The ${type} record is ${state}`],
  )
  const status = custom.status === 'active' ? 'active' : 'pending'
  const failure = custom.certificate?.failure ?? null
  return {
    status: statusOf(custom),
    custom_hostname: custom.hostname,
    data: {
      success: true,
      errors: [],
      messages: [],
      result: {
        id: ref,
        hostname: custom.hostname,
        ssl: {
          status: certificateStatusOf(custom),
          validation_records: [{ txt_name: txt.name, txt_value: txt.value }],
          ...(failure !== null && { validation_errors: [{ message: failure }] }),
        },
        ownership_verification: { type: 'txt', name: txt.name, value: txt.value },
        custom_origin_server: target ?? '',
        ...(lacks.length > 0 && { verification_errors: lacks }),
        status,
      },
    },
  }
}
