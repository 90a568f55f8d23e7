import { createFileRoute, Outlet } from '@tanstack/react-router'
import { loadOrganization } from '../../session/organizations.ts'

/** Around every page of an organization: it exists, and the person is in it. */
export const Route = createFileRoute('/_app/org/$slug')({
  loader: async ({ params: { slug }, preload }) => {
    await loadOrganization(slug, { preload })
  },
  component: Outlet,
})
