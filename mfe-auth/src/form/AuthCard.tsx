import type { Navigate } from "@messageoh/contracts/frontends";
import { Card } from "@messageoh/ui-kit/basics/Card";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import { TextLink } from "@messageoh/ui-kit/controls/TextLink";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import type { ReactElement, ReactNode } from "react";
import css from "./AuthCard.module.css";
import { BrandLink } from "./BrandLink.tsx";

export interface AuthCardProps {
  title: string;
  /** Makes the card wider; the registration form needs the space. */
  isWide?: boolean;
  submitText: string;
  /** Reason why the visitor sees this page, shown above the fields. */
  notice?: string;
  isBusy: boolean;
  error: string | null;
  errorId: string;
  onSubmit: () => void;
  footer: { text?: string; link: string; path: string };
  navigate: Navigate;
  children: ReactNode;
}

/** Renders the layout of both pages: title, fields, error line, button and link to the other page. */
export function AuthCard({
  title,
  isWide = false,
  submitText,
  notice,
  isBusy,
  error,
  errorId,
  onSubmit,
  footer,
  navigate,
  children,
}: AuthCardProps): ReactElement {
  return (
    <main className={css.page}>
      <BrandLink navigate={navigate} />
      <Card className={isWide ? `${css.card} ${css.wide}` : css.card}>
        <h1 className={css.title}>{title}</h1>
        {notice ? (
          // An alert, because a status that appears together with its text is often not announced.
          <p role="alert" className={css.notice}>
            {notice}
          </p>
        ) : null}
        {/* The form shows its own validation messages instead of the browser's. */}
        <form
          className={css.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {children}
          <FormError id={errorId}>{error}</FormError>
          <Button type="submit" isBusy={isBusy}>
            {submitText}
          </Button>
        </form>
        <p className={css.footer}>
          {footer.text ? `${footer.text} ` : null}
          <TextLink href={footer.path} onClick={onPlainClick(() => navigate(footer.path))}>
            {footer.link}
          </TextLink>
        </p>
      </Card>
    </main>
  );
}
