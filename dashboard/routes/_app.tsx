import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../api/client.ts'
import { requireSession } from '../session/identity/enter.ts'
import { operatorBannersQuery, overdueQuery } from '../session/banners.ts'
import { clockQuery } from '../session/clock.ts'
import { leavePlatformPages, statusQuery } from '../session/organization/mode.ts'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { permissionsQuery } from '../session/organization/permissions.ts'
import { loadProfile, profileQuery } from '../session/identity/profile.ts'
import { FramePending } from '../shell/Pending.tsx'
import { Shell } from '../shell/Shell.tsx'

/** Everything behind the sign-in: the frame, and what every page in it reads. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ location }) => {
    await requireSession(location.href)
    // Asked for at once: what comes next waits for the server's mode, and none of them needs the others.
    void readFrame()
    void readOverdue()
    await leavePlatformPages(location.pathname)
  },
  loader: async () => {
    // The profile decides whether anything of this is shown; when it cannot be read, this asks once more and acts.
    await readFrame()
    await loadProfile()
    await Promise.all([
      queryClient.ensureQueryData(organizationsQuery),
      queryClient.ensureQueryData(permissionsQuery),
      readOverdue(),
    ])
  },
  pendingMs: 0,
  // The picture of waiting is the frame itself: the page may take its place at any moment without a flicker.
  pendingMinMs: 0,
  pendingComponent: FramePending,
  component: Shell,
})

/**
 * What is there or on its way is not asked for again; what failed is told by the loader. With what banners say: one that came
 * later would push the page down.
 */
const readFrame = () =>
  Promise.all([
    queryClient.prefetchQuery(statusQuery),
    queryClient.prefetchQuery(organizationsQuery),
    queryClient.prefetchQuery(permissionsQuery),
    queryClient.prefetchQuery(profileQuery),
    queryClient.prefetchQuery(operatorBannersQuery),
    queryClient.prefetchQuery(clockQuery),
  ])

/** Nobody is billed where there is one database that exists already. */
async function readOverdue(): Promise<void> {
  await queryClient.prefetchQuery(statusQuery)
  const status = queryClient.getQueryData(statusQuery.queryKey)
  if (status?.mode !== 'self-hosted') await queryClient.prefetchQuery(overdueQuery)
}
