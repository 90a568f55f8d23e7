import { useState } from 'react'
import { databasePassword } from '#contract/database/database-password'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { DatabasePassword } from '../../../session/project/DatabasePassword.tsx'
import { useStrength } from '../../../session/identity/use-strength.ts'

/** Gives the login `postgres` another password. */
export function DatabasePasswordCard({ projectRef }: { projectRef: string }) {
  const [password, setPassword] = useState('')
  const [asking, setAsking] = useState(false)
  const strength = useStrength(password)
  const why = useDenials(useProject(projectRef))(databasePassword.set)
  const set = useCall(databasePassword.set, {
    onSuccess: () => {
      setAsking(false)
      setPassword('')
      toast.success('Database password changed')
    },
  })
  const weak = strength.view?.warning
  const ready = password !== '' && !strength.checking && !weak
  return (
    <Card
      title="Password"
      footer={
        <Button
          size="form"
          variant="primary"
          disabledReason={why}
          disabled={!ready}
          onClick={() => setAsking(true)}
        >
          Change password
        </Button>
      }
    >
      <DatabasePassword
        password={password}
        strength={strength.view}
        error={password === '' ? undefined : weak}
        disabled={why !== undefined}
        onGenerate={setPassword}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Change the database password"
        verb="Change password"
        error={set.error?.message}
        pending={set.isPending}
        onConfirm={() => set.mutate({ ref: projectRef, password })}
      >
        <p>
          New connections as <span className="mono">postgres</span> need the new password at once;
          open connections stay. The dashboard, the API and the other services of this project have
          their own logins and are not affected.
        </p>
      </ConfirmDialog>
    </Card>
  )
}
