import { useState } from 'react'
import type { Role } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { toast } from '../../../ui/floats/toast.ts'

/** Gives a role a password. It is sent as a verifier to Postgres and written down nowhere, so it is no migration. */
export function RolePassword({ projectRef, role }: { projectRef: string; role: Role }) {
  const [password, setPassword] = useState('')
  const set = useDatabaseCall(databaseObjects.updateRole, {
    onSuccess: () => {
      setPassword('')
      toast.success(`${role.name} has a new password`)
    },
  })
  return (
    <div className="form-stack">
      <h3 className="section-title">Password</h3>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        help="Not stored anywhere and not part of the migrations: keep it with your secrets."
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {set.error && <Alert variant="danger" title={set.error.message} />}
      <div>
        <Button
          busy={set.isPending}
          disabled={password === ''}
          onClick={() => set.mutate({ ref: projectRef, id: role.id, password })}
        >
          Set password
        </Button>
      </div>
    </div>
  )
}
