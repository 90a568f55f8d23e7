import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConsentCategory } from '#contract/people/consent'
import { messageOf } from '../../../api/client.ts'
import { updateServices, useConsent } from '../../../session/telemetry/consent.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { decisionsFor, isGranted } from './choices.ts'

type Props = { categories: readonly ConsentCategory[]; onClose: () => void }

export function PrivacyForm({ categories, onClose }: Props) {
  const decided = useConsent((state) => state.decisions)
  // Slugs of the categories that are switched on.
  const [on, setOn] = useState<readonly string[]>(() =>
    categories.filter((category) => isGranted(category, decided)).map(({ slug }) => slug),
  )
  const save = useMutation({
    mutationFn: () => updateServices(decisionsFor(categories, on)),
    onSuccess: () => {
      toast.success('Privacy settings saved')
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Privacy settings"
      shell={(inside) => (
        <Form error={undefined} pending={save.isPending} onSubmit={() => save.mutate()}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="form" variant="primary" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <ul className="consent-list">
        {categories.map(({ slug, label, description, isEssential }) => (
          <li key={slug}>
            <div className="grow">
              <b className="med">{label}</b>
              <p className="t12 muted">{description}</p>
            </div>
            <Switch
              label={<span className="sr">{label}</span>}
              checked={on.includes(slug)}
              disabled={isEssential}
              onChange={(checked) =>
                setOn(checked ? [...on, slug] : on.filter((other) => other !== slug))
              }
            />
          </li>
        ))}
      </ul>
      {save.error && (
        <p className="err" role="alert">
          {messageOf(save.error)}
        </p>
      )}
    </Dialog>
  )
}
