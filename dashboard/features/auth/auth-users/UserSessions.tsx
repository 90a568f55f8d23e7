import { LogOut } from 'lucide-react'
import { authUsers, type UserDetail } from '#contract/auth/auth-users'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetUsers } from './queries.ts'

/** Where a user is signed in; each session can be ended. */
export function UserSessions({ projectRef, detail }: { projectRef: string; detail: UserDetail }) {
  const denied = useDenials(useProject(projectRef))(authUsers.endSession)
  const end = useCall(authUsers.endSession, {
    onSuccess: async () => {
      toast.success('Session ended')
      await forgetUsers()
    },
    onError: ({ message }) => void toast.error(message),
  })
  const { sessions, user } = detail
  if (sessions.length === 0)
    return (
      <EmptyState icon={LogOut} title="No sessions">
        This user has no active sessions.
      </EmptyState>
    )
  return (
    <ul className="users-lines users-sessions">
      {sessions.map((session) => {
        const used = session.refreshed_at ?? session.created_at
        return (
          <li key={session.id}>
            <span className="grow users-session">
              <span>{session.user_agent || 'Unknown program'}</span>
              <span className="faint t12">
                {session.ip ?? 'Unknown address'}, {session.aal ?? 'aal1'}, last used{' '}
                {used ? <Time at={used} /> : 'at an unknown time'}
              </span>
            </span>
            <Button
              disabledReason={denied}
              busy={end.isPending && end.variables.session === session.id}
              onClick={() => end.mutate({ ref: projectRef, id: user.id, session: session.id })}
            >
              End session
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
