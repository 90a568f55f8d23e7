import { Building2, LogIn, Mail, Smartphone } from 'lucide-react'
import { Icon, type IconType } from '../Icon.tsx'

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

/** A mark on a field of 16 by 16: what is filled (the even-odd way), and what is drawn with a line of this width. */
type Drawing = { fill?: string; line?: string; width?: number }

const linkedIn: Drawing = {
  fill: 'M2.5 1h11A1.5 1.5 0 0 1 15 2.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 1 13.5v-11A1.5 1.5 0 0 1 2.5 1ZM3.6 6.4h1.9v6H3.6ZM4.55 3.3a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2ZM6.8 6.4h1.8v.8c.4-.6 1-1 1.8-1 1.5 0 2.1 1 2.1 2.6v3.6h-1.9V9.2c0-.8-.2-1.3-.9-1.3s-1 .5-1 1.3v3.2H6.8Z',
}
const slack: Drawing = {
  line: 'M6.2 2.6v3.6M9.8 6.2h3.6M9.8 9.8v3.6M2.6 9.8h3.6M9.8 2.6v.01M13.4 9.8h.01M6.2 13.4v.01M2.6 6.2h.01',
  width: 2.3,
}

/**
 * Where people sign in, drawn by hand in one colour: as much as it takes to know them again. The names are those of the
 * auth service's settings.
 */
export const providerMarks: Partial<Record<string, Drawing>> = {
  apple: {
    fill: 'M11.2 4.3c-1.2 0-2 .7-3 .7s-1.9-.7-3-.7C3.3 4.3 1.9 6 1.9 8.6c0 3.1 2 6.5 3.8 6.5.9 0 1.4-.6 2.5-.6s1.5.6 2.5.6c1.4 0 2.7-2.1 3.3-3.9-1.5-.6-2.2-1.9-2.2-3.2 0-1.2.6-2.2 1.6-2.8-.6-.6-1.4-.9-2.2-.9ZM10.6.9c-1.5.2-2.6 1.5-2.5 3 1.5 0 2.6-1.4 2.5-3Z',
  },
  azure: { fill: 'M1.5 1.5h6v6h-6ZM8.5 1.5h6v6h-6ZM1.5 8.5h6v6h-6ZM8.5 8.5h6v6h-6Z' },
  bitbucket: { fill: 'M1.3 2h13.4l-2 12H3.3ZM5.7 6l.8 4.2h3l.8-4.2Z' },
  discord: {
    fill: 'M3.2 3.4a13 13 0 0 1 9.6 0c1.5 2.6 2.2 5.4 2 8.5a11 11 0 0 1-3.4 1.7l-.9-1.5c-1.7.5-3.3.5-5 0l-.9 1.5a11 11 0 0 1-3.4-1.7c-.2-3.1.5-5.9 2-8.5ZM5.6 6.6c-.7 0-1.3.7-1.3 1.6s.6 1.6 1.3 1.6 1.3-.7 1.3-1.6-.6-1.6-1.3-1.6ZM10.4 6.6c-.7 0-1.3.7-1.3 1.6s.6 1.6 1.3 1.6 1.3-.7 1.3-1.6-.6-1.6-1.3-1.6Z',
  },
  facebook: {
    fill: 'M9.1 15.4v-5H11l.4-2.3H9.1V6.6c0-.7.4-1.2 1.3-1.2h1.1V3.5l-1.7-.2c-1.9 0-3 1.1-3 3v1.8H4.9v2.3h1.9v5a7.5 7.5 0 1 1 2.3 0Z',
  },
  figma: {
    fill: 'M7.7 1H5.4a2.3 2.3 0 0 0 0 4.5h2.3ZM8.3 1h2.3a2.3 2.3 0 0 1 0 4.5H8.3ZM7.7 5.8H5.4a2.3 2.3 0 0 0 0 4.5h2.3ZM10.6 5.8a2.2 2.2 0 1 1 0 4.5 2.2 2.2 0 0 1 0-4.5ZM5.4 10.5h2.3v2.3a2.3 2.3 0 1 1-2.3-2.3Z',
  },
  fly: {
    fill: 'M8 1a4.6 4.6 0 0 1 4.6 4.6c0 2.4-2 4.6-4 6.3H7.4c-2-1.7-4-3.9-4-6.3A4.6 4.6 0 0 1 8 1ZM6.6 12.9h2.8V15H6.6Z',
  },
  github: {
    fill: 'M8 .2a8 8 0 0 0-2.5 15.6c.4.1.5-.2.5-.4v-1.4c-2.2.5-2.7-1-2.7-1-.4-.9-.9-1.2-.9-1.2-.7-.5.1-.5.1-.5.8.1 1.2.8 1.2.8.7 1.3 1.9.9 2.3.7.1-.5.3-.9.5-1.1-1.8-.2-3.6-.9-3.6-4 0-.9.3-1.6.8-2.2-.1-.2-.4-1 .1-2.1 0 0 .7-.2 2.2.8a7.6 7.6 0 0 1 4 0c1.5-1 2.2-.8 2.2-.8.4 1.1.2 1.9.1 2.1.5.6.8 1.3.8 2.2 0 3.1-1.9 3.7-3.7 3.9.3.3.6.8.6 1.5v2.2c0 .2.1.5.6.4A8 8 0 0 0 8 .2Z',
  },
  gitlab: { fill: 'M8 14.8 1 9.6l2.3-7.8 2 4.9h5.4l2-4.9L15 9.6Z' },
  google: {
    fill: 'M14.6 6.8H8v2.6h3.9A4.1 4.1 0 1 1 10.7 4.9L12.6 3A6.8 6.8 0 1 0 14.6 6.8Z',
  },
  kakao: {
    fill: 'M8 2C4 2 1 4.5 1 7.6c0 2 1.3 3.7 3.2 4.7l-.7 2.6 3-2c.5.1 1 .1 1.5.1 4 0 7-2.4 7-5.4S12 2 8 2Z',
  },
  keycloak: {
    fill: 'M4.3 1.5h7.4L15.4 8l-3.7 6.5H4.3L.6 8ZM6.2 4.5 4.2 8l2 3.5h1.7L5.9 8l2-3.5ZM8.1 4.5l2 3.5-2 3.5h1.7l2-3.5-2-3.5Z',
  },
  linkedin: linkedIn,
  linkedin_oidc: linkedIn,
  notion: {
    fill: 'M3 1.5h10A1.5 1.5 0 0 1 14.5 3v10a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 13V3A1.5 1.5 0 0 1 3 1.5ZM3 3v10h10V3ZM5 11.3V4.7h1.6l2.8 4.2V4.7H11v6.6H9.4L6.6 7.1v4.2Z',
  },
  slack,
  slack_oidc: slack,
  snapchat: {
    fill: 'M8 1.2c2.3 0 3.9 1.6 3.9 4v1.4l1.5.3c.4.4-.3 1-1.3 1.5.5 1.4 1.5 2.3 2.7 2.7.2.8-1 1-1.9 1.2l-.4 1c-.9-.2-1.7-.1-2.3.4-.7.5-1.3 1-2.2 1s-1.5-.5-2.2-1c-.6-.5-1.4-.6-2.3-.4l-.4-1c-.9-.2-2.1-.4-1.9-1.2 1.2-.4 2.2-1.3 2.7-2.7-1-.5-1.7-1.1-1.3-1.5l1.5-.3V5.2c0-2.4 1.6-4 3.9-4Z',
  },
  spotify: {
    line: 'M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2ZM4.3 6.1c2.6-.7 5.1-.4 7.4.8M4.7 8.4c2.1-.5 4.1-.3 6 .7M5.2 10.6c1.6-.4 3.2-.2 4.6.5',
    width: 1.3,
  },
  twitch: {
    fill: 'M2.5 1 1.2 4v9h3v2H6l2-2h2.6l4-4V1ZM13.1 8.4l-2 2H8.4l-1.8 1.8v-1.8H4V2.5h9.1ZM11.1 4.3H9.7v3.5h1.4ZM7.6 4.3H6.2v3.5h1.4Z',
  },
  twitter: {
    fill: 'M15 3.7c-.5.2-1 .4-1.6.5.6-.4 1-.9 1.2-1.6-.5.3-1.2.6-1.8.7A2.9 2.9 0 0 0 7.8 6 8.3 8.3 0 0 1 1.8 3a2.9 2.9 0 0 0 .9 3.9c-.5 0-.9-.2-1.3-.4 0 1.5 1 2.6 2.3 2.9-.4.1-.9.1-1.3 0 .4 1.2 1.4 2 2.7 2A6 6 0 0 1 .8 12.7 8.3 8.3 0 0 0 13.6 5.2c.5-.4 1-.9 1.4-1.5Z',
  },
  web3_ethereum: { fill: 'M8 .8l4.6 7.4L8 10.9 3.4 8.2ZM3.4 9.4 8 12.1l4.6-2.7L8 15.6Z' },
  web3_solana: {
    fill: 'M4 2.5h10l-2.2 2.7H1.8ZM1.8 6.7h10L14 9.4H4ZM4 10.9h10l-2.2 2.7H1.8Z',
  },
  workos: {
    line: 'M5.6 3.2 2.8 8l2.8 4.8h2.2M10.4 12.8 13.2 8l-2.8-4.8H8.2M8 6v4',
    width: 1.8,
  },
  x: {
    fill: 'M1.5 1.5h4.2l8.8 13h-4.2ZM3.8 2.7l7.2 10.6h1.2L5 2.7ZM12.2 1.5h1.7L9.1 7.1l-.7-1ZM7.6 9.9l-3.9 4.6H2l4.9-5.6Z',
  },
  zoom: {
    fill: 'M2.5 4.3h6A1.5 1.5 0 0 1 10 5.8v5.9H3.5a2 2 0 0 1-2-2V5.3a1 1 0 0 1 1-1ZM11 7.1l3.5-2.4v6.6L11 8.9Z',
  },
}
