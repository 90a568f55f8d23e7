import { useState } from 'react'
import { databaseServer } from '#contract/database/database-server'
import type { WrapperOption } from '#contract/database/wrappers'
import { forget } from '../../../api/client.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { isComplete, OptionFields } from './OptionFields.tsx'

type Props = {
  projectRef: string
  server: string
  options: readonly WrapperOption[]
  onDone: () => void
}

/** With which login a role here enters the other server. It holds a password, so it is no migration. */
export function MappingForm({ projectRef, server, options, onDone }: Props) {
  const [user, setUser] = useState('postgres')
  const [values, setValues] = useState<Record<string, string>>({})
  const set = useDatabaseCall(databaseServer.setMapping, {
    onSuccess: async () => {
      await forget(databaseServer.foreign)
      toast.success('The login is set')
      onDone()
    },
  })
  const ready = isComplete(options, values)
  return (
    <Form
      error={set.error?.message}
      pending={set.isPending}
      onSubmit={() => ready && set.mutate({ ref: projectRef, server, user, options: values })}
    >
      <div className="form-stack">
        <SelectField
          label="For the role"
          value={user}
          onChange={setUser}
          options={['postgres', 'public', 'anon', 'authenticated', 'service_role'].map((value) => ({
            value,
            label: value === 'public' ? 'every role (public)' : value,
          }))}
        />
        <OptionFields options={options} values={values} onChange={setValues} />
        <p className="help">
          It replaces the login that the role has. The password stays in this database and is not
          part of the migrations.
        </p>
        <div className="row">
          <Button type="submit" variant="primary" busy={set.isPending} disabled={!ready}>
            Set login
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </div>
    </Form>
  )
}
