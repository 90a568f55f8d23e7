import { createFileRoute, Outlet } from '@tanstack/react-router'
import { loadOrganization, leaveLocked } from '../../session/organization/organizations.ts'

const isOwnPage = (pathname: string, slug: string) => pathname.replace(/\/$/, '') === `/org/${slug}`

/** Around every page of an organization: it exists, the person is in it, and has shown the factor that it may ask for. */
export const Route = createFileRoute('/_app/org/$slug')({
  // Before the pages below ask for what they would be refused.
  beforeLoad: async ({ params: { slug }, location: { pathname } }) => {
    if (!isOwnPage(pathname, slug)) await leaveLocked(slug)
  },
  loader: async ({ params: { slug }, preload, location: { pathname } }) => {
    await loadOrganization(slug, { preload, withoutFactor: isOwnPage(pathname, slug) })
  },
  component: Outlet,
})
