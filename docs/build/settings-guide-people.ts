import type { SettingGroup } from './setting-group.ts'

/** What people of the dashboard get: mail, sign-in, the assistant, bills. */
export const peopleSettings: readonly SettingGroup[] = [
  {
    title: 'Mail and support',
    settings: {
      SMTP_URL: {
        about: 'The mail server, such as `smtps://user:password@mail.example.com`.',
        unset:
          'mails go to [the mailbox](operating.md#the-mailbox), and sign-ups are confirmed at once',
      },
      MAIL_FROM: { about: 'The sender of mails.' },
      SUPPORT_EMAIL: {
        about: 'Where requests for help from `/support/new` and reports to the operator go.',
        unset: '`support@` and the host of `PLINTH_URL`',
      },
      PLINTH_DISCUSSIONS_URL: {
        about: 'Where people discuss the product. The feature previews link to it.',
        unset: 'no link',
      },
    },
  },
  {
    title: 'Sign-in to the dashboard',
    settings: {
      PLINTH_GITHUB_CLIENT_ID: {
        about:
          'The client ID of an OAuth app on GitHub ([sign in with GitHub](operating.md#sign-in-with-github)).',
        unset: 'no button for GitHub',
      },
      PLINTH_GITHUB_CLIENT_SECRET: { about: 'The client secret of that app.' },
      PLINTH_GITHUB_URL: { about: 'Another server with the API of GitHub.' },
      PLINTH_OIDC_PROVIDERS: {
        about:
          'OpenID Connect providers, as a JSON list of `{"name", "issuer", "client_id", "client_secret", "label", "scopes"}`; you may leave out the last two. Plinth believes what such a provider says about email addresses.',
      },
      PLINTH_TRUSTED_SSO_DOMAINS: {
        about:
          'Domains, separated by commas, that organizations may use for single sign-on without proving by DNS that they own them.',
      },
    },
  },
  {
    title: 'Dashboard',
    settings: {
      PLINTH_DISABLED_FEATURES: {
        about:
          '[Features](#features-that-can-be-turned-off) to turn off, separated by commas, such as `projects:create,billing:credits`. With `dashboard_auth:sign_up` nobody can sign up but those whom an organization has invited or whose own identity provider sends them.',
      },
      DISABLED_FEATURES: { about: 'The same, under a shorter name.' },
      PLINTH_DOCUMENTS: {
        about:
          'The folder of the [legal documents](operating.md#legal-documents) that organizations can download.',
        unset: 'none are supplied',
      },
      PLINTH_CUSTOM_CONTENT: {
        about:
          'A JSON file with [your own words and links](operating.md#your-own-words-and-links): the name of the dashboard, testimonials, terms of service and more.',
        unset: 'those of Plinth',
      },
      PLINTH_ENVIRONMENT: {
        about:
          'What this installation is for: `production`, `staging`, `preview` or `local`. It decides which cloud provider and region a new project starts with.',
      },
      PLINTH_IMAGE_HOSTS: {
        about:
          'Hosts, separated by commas, whose images `/_next/image` may fetch and shrink, beside its own.',
      },
    },
  },
  {
    title: 'Assistant',
    settings: {
      OPENAI_API_KEY: {
        about: 'The key for the model that the assistant asks.',
        unset: 'the assistant is off, unless `OPENAI_BASE_URL` is set',
      },
      OPENAI_BASE_URL: {
        about: 'Any server with the OpenAI chat API, such as one on this machine.',
        unset: '`https://api.openai.com/v1`',
      },
      OPENAI_MODEL: {
        about: 'The models to choose from, separated by commas. The first one is the default.',
      },
    },
  },
  {
    title: 'Billing',
    intro:
      'Without Stripe you mark invoices paid: see [billing by hand](operating.md#billing-by-hand).',
    settings: {
      STRIPE_SECRET_KEY: {
        about: 'The secret key of a Stripe account, for payment by card. Set it with the next one.',
        unset: 'no cards',
      },
      STRIPE_WEBHOOK_SECRET: {
        about: 'The secret of its webhook, which sends events to `/platform/stripe/webhook`.',
      },
      STRIPE_API_URL: { about: 'Another server with the API of Stripe.', unset: 'that of Stripe' },
      PLINTH_PAYMENT_INSTRUCTIONS: {
        about: 'How people pay who do not pay by card, such as a bank account.',
      },
      PLINTH_INVOICE_SENDER: {
        about: 'The name and address on invoices. A `|` begins a new line.',
        unset: '`Plinth`',
      },
    },
  },
]
