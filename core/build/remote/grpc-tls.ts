/** TLS to a gRPC server, with the certificates of Node and those of a file. */
import { readFileSync } from "node:fs";
import { isIP, type Socket } from "node:net";
import { connect, createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { CallCredentials, ChannelCredentials, credentials } from "@grpc/grpc-js";

type Connector = ReturnType<ChannelCredentials["_createSecureConnector"]>;

export function tls(url: URL, certificates: string | undefined): ChannelCredentials {
  const ca =
    certificates === undefined
      ? undefined
      : [...rootCertificates, readFileSync(certificates, "utf8")].join("\n");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host)) return new AddressCredentials(host, createSecureContext(ca === undefined ? {} : { ca }));
  return credentials.createSsl(ca === undefined ? undefined : Buffer.from(ca));
}

/** Sends no server name: an IP address is not one (RFC 6066, section 3), though grpc-js would send it as one. */
class AddressCredentials extends ChannelCredentials {
  readonly #host: string;
  readonly #secureContext: SecureContext;

  constructor(host: string, secureContext: SecureContext) {
    super();
    this.#host = host;
    this.#secureContext = secureContext;
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    ...[, , call]: Parameters<ChannelCredentials["_createSecureConnector"]>
  ): Connector {
    return {
      connect: (socket) => this.#connect(socket),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => call ?? CallCredentials.createEmpty(),
      destroy: () => {},
    };
  }

  #connect(socket: Socket): ReturnType<Connector["connect"]> {
    const [host, secureContext] = [this.#host, this.#secureContext];
    return new Promise((resolve, reject) => {
      const secured = connect({ socket, host, secureContext, ALPNProtocols: ["h2"] });
      secured.once("secureConnect", () => resolve({ socket: secured, secure: true }));
      secured.on("error", reject);
    });
  }
}
