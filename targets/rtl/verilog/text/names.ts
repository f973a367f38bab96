/** Verilog identifiers: the source's names, made unique and distinct from keywords. */

const reserved = new Set(
  `always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default
  defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive
  endspecify endtable endtask event for force forever fork function generate genvar highz0 highz1 if ifnone
  incdir include initial inout input instance integer join large liblist library localparam macromodule medium
  module nand negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive
  pull0 pull1 pulldown pullup pulsestyle_onevent pulsestyle_ondetect rcmos real realtime reg release repeat
  rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1
  supply0 supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire
  vectored wait wand weak0 weak1 while wire wor xnor xor
  bit byte int logic shortint longint shortreal string do return break continue final class interface program
  before bind checker clocking constraint context cover cross dist expect extends extern foreach global iff
  implements inside intersect let matches modport priority property protected pure rand ref restrict sequence
  solve soft strong tagged throughout timeunit type unique until weak wildcard with within alias assert assume
  package import export enum struct union typedef void var const static new this super null local`.split(
    /\s+/,
  ),
);

export class Names {
  private readonly usedNames = new Set<string>();
  /** For each name, the smallest suffix that may be free. */
  private readonly next = new Map<string, number>();

  /** Reserves names for signals that must keep them. */
  reserve(names: readonly string[]): void {
    for (const name of names) this.usedNames.add(name);
  }

  /** A unique name: the given one if it is free. */
  unique(wish: string): string {
    const plain = wish.replace(/\W/g, "_").replace(/^(?=\d)/, "_");
    const base = reserved.has(plain) ? `${plain}_` : plain;
    let name = base;
    let n = this.next.get(base) ?? 2;
    for (; this.usedNames.has(name); n++) name = `${base}_${n}`;
    this.next.set(base, n);
    this.usedNames.add(name);
    return name;
  }
}
