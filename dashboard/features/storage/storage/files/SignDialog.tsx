import { useState } from 'react'
import { storage } from '#contract/storage/storage'
import { useCall } from '../../../../api/client.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { CopyText } from '../../../../ui/text/CopyText.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'

type Props = { projectRef: string; bucket: string; path: string; onClose: () => void }

const day = 86_400
const lives = {
  week: { label: '1 week', seconds: 7 * day },
  month: { label: '1 month', seconds: 30 * day },
  year: { label: '1 year', seconds: 365 * day },
} as const
type Life = keyof typeof lives | 'custom'
const max = 3650

/** An address that opens a file for whoever has it, until it ends. */
export function SignDialog({ projectRef, bucket, path, onClose }: Props) {
  const [life, setLife] = useState<Life>('week')
  const [days, setDays] = useState('1')
  const [tried, setTried] = useState(false)
  const sign = useCall(storage.sign)
  const custom = Number(days.replace(',', '.')) * day
  const seconds = life === 'custom' ? Math.round(custom) : lives[life].seconds
  const problem =
    seconds >= 60 && seconds <= max * day ? undefined : `Enter a number of days, at most ${max}`
  return (
    <FormDialog
      title="Signed URL"
      verb="Create URL"
      pending={sign.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (!problem) sign.mutate({ ref: projectRef, id: bucket, path, expires_in: seconds })
      }}
    >
      <div className="form-stack">
        <p>
          Anyone with this URL can read <span className="mono">{path}</span>, without a key, until
          it expires. You cannot revoke it before.
        </p>
        <div className="field-pair">
          <SelectField<Life>
            label="Expires after"
            options={[
              ...Object.entries(lives).map(([value, { label }]) => ({
                value: value as Life,
                label,
              })),
              { value: 'custom' as const, label: 'Custom' },
            ]}
            value={life}
            onChange={(next) => {
              sign.reset()
              setLife(next)
            }}
          />
          {life === 'custom' && (
            <TextField
              label="Days"
              inputMode="decimal"
              autoComplete="off"
              error={tried ? problem : undefined}
              value={days}
              onChange={(event) => {
                sign.reset()
                setDays(event.target.value)
              }}
            />
          )}
        </div>
        {sign.data && <CopyText text={sign.data.url} what="signed URL" />}
        {sign.error && <Alert variant="danger" title={sign.error.message} />}
      </div>
    </FormDialog>
  )
}
