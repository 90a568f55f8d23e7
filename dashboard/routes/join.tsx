import { createFileRoute, redirect, useRouter } from '@tanstack/react-router'
import { invitations } from '#contract/organizations/invitations'
import { call, queryClient } from '../api/client.ts'
import { JoinPage } from '../features/people/join/JoinPage.tsx'
import { joinState } from '../features/people/join/join-state.ts'
import { AuthLayout } from '../features/people/sign-in/AuthLayout.tsx'
import { currentSession, isHalfSignedIn } from '../session/identity/auth.ts'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { loadProfile } from '../session/identity/profile.ts'
import { signOut } from '../session/identity/sign-out.ts'
import { useTitle } from '../shell/use-page.ts'

type Search = { token: string; slug: string }

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const pathOf = ({ token, slug }: Search) =>
  `/join?${new URLSearchParams({ token, slug }).toString()}`

/** Where the link of an invitation leads, signed in or not. */
export const Route = createFileRoute('/join')({
  staticData: { title: 'Join an organization' },
  validateSearch: ({ token, slug }: Record<string, unknown>): Search => ({
    token: text(token),
    slug: text(slug),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const { token, slug } = deps
    const session = await currentSession()
    if (token === '' || slug === '')
      return { email: session?.user.email, state: { is: 'incomplete' } as const }
    if (session && (await isHalfSignedIn()))
      throw redirect({ to: '/sign-in-mfa', search: { returnTo: pathOf(deps) } })
    // A newcomer gets the profile here, which accepting needs.
    if (session) await loadProfile()
    const [found, organizations] = await Promise.all([
      call(invitations.open, { slug, token }).then(
        (invitation) => ({ invitation }),
        (error: unknown) => ({ error }),
      ),
      session ? queryClient.fetchQuery({ ...organizationsQuery, staleTime: 0 }) : [],
    ])
    const email = session?.user.email
    const slugs = organizations.map((organization) => organization.slug)
    return { email, state: joinState(slug, found, email, slugs) }
  },
  component: Page,
})

function Page() {
  useTitle()
  const search = Route.useSearch()
  const { state, email } = Route.useLoaderData()
  const navigate = Route.useNavigate()
  const router = useRouter()
  const returnTo = pathOf(search)

  async function changePerson() {
    await signOut()
    await router.navigate({ to: '/sign-in', search: { returnTo } })
  }

  return (
    <AuthLayout>
      <JoinPage
        {...search}
        state={state}
        email={email}
        returnTo={returnTo}
        onJoined={() => void navigate({ to: '/org/$slug', params: { slug: search.slug } })}
        onSignOut={() => void changePerson()}
      />
    </AuthLayout>
  )
}
