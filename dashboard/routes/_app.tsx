import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../api/client.ts'
import { requireSession } from '../session/enter.ts'
import { leavePlatformPages, statusQuery } from '../session/mode.ts'
import { organizationsQuery } from '../session/organizations.ts'
import { permissionsQuery } from '../session/permissions.ts'
import { loadProfile } from '../session/profile.ts'
import { FramePending } from '../shell/FramePending.tsx'
import { Shell } from '../shell/Shell.tsx'

/** Everything behind the sign-in: the frame, and what every page in it reads. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ location }) => {
    await requireSession(location.href)
    await leavePlatformPages(location.pathname)
  },
  loader: async () => {
    // Asked for at the same time as the profile, which decides whether anything of this is shown.
    const early = Promise.all([
      queryClient.prefetchQuery(statusQuery),
      queryClient.prefetchQuery(organizationsQuery),
      queryClient.prefetchQuery(permissionsQuery),
    ])
    await loadProfile()
    await early
    await Promise.all([
      queryClient.ensureQueryData(organizationsQuery),
      queryClient.ensureQueryData(permissionsQuery),
    ])
  },
  pendingMs: 0,
  pendingComponent: FramePending,
  component: Shell,
})
