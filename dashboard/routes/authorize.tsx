import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { oauthApps } from '#contract/organizations/oauth-apps'
import type { AuthorizationRequest } from '#contract/organizations/oauth-apps'
import { call, CallError, queryClient } from '../api/client.ts'
import {
  ConsentPage,
  ConsentEnded,
  ConsentAgreed,
} from '../features/organizations/oauth-apps/ConsentPage.tsx'
import { AuthLayout } from '../features/people/sign-in/AuthLayout.tsx'
import { requireSession } from '../session/identity/enter.ts'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { denial, permissionsQuery } from '../session/organization/permissions.ts'
import { loadProfile } from '../session/identity/profile.ts'
import { signOut } from '../session/identity/sign-out.ts'
import { useTitle } from '../shell/use-page.ts'
import { textParams } from '../session/search-params.ts'

type Asked = { request: AuthorizationRequest; email: string }
/** Why nobody is asked, who is, or where somebody goes who has agreed before. */
type Found =
  | { ended: ComponentProps<typeof ConsentEnded>['reason'] }
  | { leaving: string; name: string }
  | Asked

const readSearch = textParams('auth_id', 'error', 'prompt')

/** Where an app sends people to be asked. Who is not signed in signs in first and comes back. */
export const Route = createFileRoute('/authorize')({
  staticData: { title: 'Authorize an app' },
  validateSearch: readSearch,
  beforeLoad: async ({ search, location }) => {
    if (search.auth_id !== undefined) await requireSession(location.href)
  },
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { auth_id: id, error, prompt } }): Promise<Found> => {
    if (id === undefined)
      return { ended: error === 'invalid_client' ? 'unknown_app' : 'bad_request' }
    const { primary_email: email } = await loadProfile()
    const [request, , rows] = await Promise.all([
      read(id),
      queryClient.ensureQueryData(organizationsQuery),
      queryClient.ensureQueryData(permissionsQuery),
    ])
    if (!request) return { ended: 'over' }
    const slug = prompt === 'consent' ? null : request.agreed
    if (slug === null || denialIn(rows, slug)) return { request, email }
    const { url } = await call(oauthApps.approve, { slug, id })
    return { leaving: url, name: request.name }
  },
  component: Page,
})

/** Undefined when the request cannot be answered any more. */
async function read(id: string) {
  try {
    return await call(oauthApps.request, { id })
  } catch (error) {
    if (error instanceof CallError && (error.code === 404 || error.code === 400)) return undefined
    throw error
  }
}

/** Why the reader may not let an app into this organization. */
const denialIn = (rows: Parameters<typeof denial>[0], organizationSlug: string) =>
  denial(rows, oauthApps.approve.needs, { organizationSlug })

function Page() {
  useTitle()
  const found = Route.useLoaderData()
  return (
    <AuthLayout>
      {'ended' in found ? (
        <ConsentEnded reason={found.ended} />
      ) : 'leaving' in found ? (
        <ConsentAgreed {...found} />
      ) : (
        <Consent {...found} />
      )}
    </AuthLayout>
  )
}

function Consent({ request, email }: Asked) {
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const { data: rows } = useSuspenseQuery(permissionsQuery)
  const navigate = Route.useNavigate()
  const { prompt } = Route.useSearch()
  async function changePerson() {
    await signOut()
    const asks = prompt === 'consent' ? '&prompt=consent' : ''
    await navigate({
      to: '/sign-in',
      search: { returnTo: `/authorize?auth_id=${request.id}${asks}` },
    })
  }
  return (
    <ConsentPage
      request={request}
      email={email}
      organizations={organizations}
      denial={(slug) => denialIn(rows, slug)}
      onAnswered={(url) => location.assign(url)}
      onSignOut={() => void changePerson()}
    />
  )
}
