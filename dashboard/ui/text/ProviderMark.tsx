import { Building2, LogIn, Mail, Smartphone } from 'lucide-react'
import { Icon, type IconType } from '../Icon.tsx'
import { type Drawing, providerMarks } from './provider-marks.ts'

/** Ways that are no brand. */
const icons: Partial<Record<string, IconType>> = { email: Mail, phone: Smartphone, saml: Building2 }

const iconOf = (name: string) =>
  icons[name] ?? (name === 'sso' || name.startsWith('sso:') ? Building2 : LogIn)

/** The mark of a way to sign in, at the size of the icons beside it and in the colour of the text. */
export function ProviderMark({ of: name }: { of: string }) {
  const drawing = providerMarks[name]
  return (
    <span className="provider-mark" data-provider={name} aria-hidden>
      {drawing ? <Drawn {...drawing} /> : <Icon of={iconOf(name)} size="s" />}
    </span>
  )
}

const Drawn = ({ fill, line, width }: Drawing) => (
  <svg width="16" height="16" viewBox="0 0 16 16">
    {fill && <path fill="currentColor" fillRule="evenodd" d={fill} />}
    {line && (
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth={width}
        strokeLinecap="round"
        strokeLinejoin="round"
        d={line}
      />
    )}
  </svg>
)
