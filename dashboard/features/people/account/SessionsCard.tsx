import { useMutation, useQuery } from '@tanstack/react-query'
import { LogOut, Monitor } from 'lucide-react'
import { messageOf } from '../../../api/client.ts'
import { auth } from '../../../session/identity/auth.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'

import { toast } from '../../../ui/floats/toast.ts'
import { endSession, forgetAuth, sessionsQuery, type SignIn } from './account-data.ts'
import { Ago } from '../../../ui/text/Ago.tsx'
import { deviceOf } from './device.ts'
import { useAuthAction } from './use-auth-action.ts'

const tell = (error: Error) => void toast.error(messageOf(error))

/** Where one is signed in. A session that is ended here is refused with its next request. */
export function SessionsCard() {
  const query = useQuery(sessionsQuery)
  const sessions = query.data
  const others = useAuthAction(
    async () => ({ data: null, ...(await (await auth()).signOut({ scope: 'others' })) }),
    async () => {
      toast.success('Signed out everywhere else')
      await forgetAuth('sessions')
    },
  )
  return (
    <Card
      title="Sessions"
      end={
        <Button
          icon={LogOut}
          busy={others.isPending}
          disabledReason={sessions?.length === 1 && 'You have no other sessions'}
          onClick={() => others.mutate(undefined, { onError: tell })}
        >
          Sign out everywhere else
        </Button>
      }
      padded={false}
    >
      {query.error && !sessions ? (
        <ErrorNote what="sessions" error={query.error} onRetry={() => void query.refetch()} />
      ) : sessions ? (
        sessions.map((session) => <SessionRow key={session.id} session={session} />)
      ) : (
        <div className="set-row">
          <div className="grow stack">
            <Skeleton width={160} />
            <Skeleton width={220} />
          </div>
        </div>
      )}
    </Card>
  )
}

function SessionRow({ session }: { session: SignIn }) {
  const device = deviceOf(session.user_agent)
  const end = useMutation({
    mutationFn: () => endSession(session.id),
    onSuccess: async () => {
      toast.success('Session ended')
      await forgetAuth('sessions')
    },
    onError: tell,
  })
  return (
    <div className="set-row">
      <Icon of={Monitor} size="s" />
      <div className="grow">
        <span className="row">
          <span className="med ell">{device}</span>
          {session.current && <Badge>Current</Badge>}
          {session.aal === 'aal2' && <Badge>Two factors</Badge>}
        </span>
        <p>
          {session.ip && <span className="mono t12">{session.ip}</span>}
          {session.ip && ' · '}
          active {/* Its token may be an hour old; whoever reads this is using it. */}
          {session.current ? 'now' : <Ago at={session.refreshed_at ?? session.created_at} />}
        </p>
      </div>
      <Button
        aria-label={`End the session on ${device}`}
        busy={end.isPending}
        disabledReason={session.current && 'Use Sign out to end this session'}
        onClick={() => end.mutate()}
      >
        End
      </Button>
    </div>
  )
}
