import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import oracle.sql.json.OracleJsonFactory;

/** Oracle's Java reference as a co-process: a line of hexadecimal digits is an image, answered by a line of its JSON text. */
public class OsonReference {
    public static void main(String[] arguments) throws Exception {
        OracleJsonFactory factory = new OracleJsonFactory();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(answer(factory, line));
        }
    }

    private static String answer(OracleJsonFactory factory, String line) {
        try {
            ByteBuffer image = ByteBuffer.wrap(HexFormat.of().parseHex(line));
            return factory.createJsonBinaryValue(image).toString();
        } catch (RuntimeException | StackOverflowError error) {
            return "error " + error;
        }
    }
}
